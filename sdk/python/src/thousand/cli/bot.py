"""`thousand bot …`: your bots in an arena, their versions and tokens."""

from typing import Annotated

import typer

from thousand.cli.common import print_json
from thousand.cli.link import DEFAULT_SERVER, AsJson, Key, Server, arena, fresh_key, plain
from thousand.v1 import arena_pb2 as api
from thousand.v1.bot_pb2 import Bot, BotToken

app = typer.Typer(help="Your bots in an arena: create them, issue and revoke their tokens.", no_args_is_help=True)


def mount(root: typer.Typer) -> None:
    """Add `thousand bot …`."""
    root.add_typer(app, name="bot")


BotName = Annotated[str, typer.Argument(metavar="BOT", help="The bot's id or name.")]
Note = Annotated[str, typer.Option(help="What this version is, for people.")]


@app.command(epilog="Example: thousand bot create 'My first bot' --key tk_…")
def create(
    name: Annotated[str, typer.Argument(help="1 to 40 characters; quote it if it holds blanks.")],
    note: Note = "",
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Make a bot and print its token, which is shown only now."""
    with arena(server, key) as link:
        request = api.CreateBotRequest(name=name, note=note, idempotency_key=fresh_key())
        answer = link.call(link.stub.CreateBot, request)
    _tell_token(answer.token, answer.bot, server, as_json)


@app.command(epilog="Example: thousand bot version mine --note 'counts trumps'")
def version(
    bot: BotName, note: Note = "", server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False
) -> None:
    """Make a new version, which is rated as a new entry, and print its token."""
    with arena(server, key) as link:
        request = api.CreateBotVersionRequest(bot=bot, note=note, idempotency_key=fresh_key())
        answer = link.call(link.stub.CreateBotVersion, request)
    _tell_token(answer.token, answer.bot, server, as_json)


@app.command(epilog="Example: thousand bot token mine --rotate")
def token(
    bot: BotName,
    rotate: Annotated[bool, typer.Option("--rotate", help="Refuse all older tokens from now on.")] = False,
    version: Annotated[int, typer.Option(help="The version; 0 is the current one.", min=0)] = 0,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Print one more token of a bot."""
    with arena(server, key) as link:
        if rotate:
            again = api.RotateBotTokenRequest(bot=bot, version=version, idempotency_key=fresh_key())
            found = link.call(link.stub.RotateBotToken, again).token
        else:
            more = api.CreateBotTokenRequest(bot=bot, version=version, idempotency_key=fresh_key())
            found = link.call(link.stub.CreateBotToken, more).token
    _tell_token(found, None, server, as_json)


@app.command(epilog="Example: thousand bot revoke mine")
def revoke(bot: BotName, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """Refuse all tokens of a bot from now on; its streams end within a second."""
    with arena(server, key) as link:
        answer = link.call(link.stub.RevokeBotTokens, api.RevokeBotTokensRequest(bot=bot))
    if as_json:
        print_json(plain(answer))
    else:
        typer.echo(f"All tokens of {bot} are refused. A new one: thousand bot token {bot!r}")


@app.command(epilog="Example: thousand bot retire mine, and to undo it: thousand bot retire mine --back")
def retire(
    bot: BotName,
    back: Annotated[bool, typer.Option("--back", help="Let it take part again.")] = False,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Let a bot take part in nothing new."""
    with arena(server, key) as link:
        answer = link.call(link.stub.RetireBot, api.RetireBotRequest(bot=bot, retired=not back))
    _tell_bots([answer.bot], as_json, one=True)


@app.command(epilog="Example: thousand bot tag mine friday,strong, and to remove all: thousand bot tag mine ''")
def tag(
    bot: BotName,
    tags: Annotated[str, typer.Argument(help="Words separated by commas; those it had before go.")],
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Set the words that a bot is found by: tournaments take entrants by tag."""
    words = [word.strip() for word in tags.split(",") if word.strip()]
    with arena(server, key) as link:
        answer = link.call(link.stub.SetBotTags, api.SetBotTagsRequest(bot=bot, tags=words))
    _tell_bots([answer.bot], as_json, one=True)


@app.command("list", epilog="Example: thousand bot list --json")
def list_bots(
    owner_id: Annotated[str, typer.Option("--owner", help="Only the bots of this owner id.")] = "",
    tag: Annotated[str, typer.Option(help="Only the bots with this tag.")] = "",
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """All bots, and who is connected."""
    with arena(server, key) as link:
        pages = link.pages(link.stub.ListBots, api.ListBotsRequest(owner_id=owner_id, tag=tag))
        bots = [bot for page in pages for bot in page.bots]
    _tell_bots(bots, as_json, one=False)


@app.command(epilog="Example: thousand bot show counter")
def show(bot: BotName, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """One bot."""
    with arena(server, key) as link:
        answer = link.call(link.stub.GetBot, api.GetBotRequest(bot=bot))
    _tell_bots([answer.bot], as_json, one=True)


def _tell_token(token: BotToken, bot: Bot | None, server: str, as_json: bool) -> None:
    if as_json:
        print_json(plain(token) | ({"bot": plain(bot)} if bot is not None else {}))
        return
    typer.echo(f"bot      {token.bot_id} version {token.version}")
    typer.echo(f"token    {token.token}")
    typer.echo("It is shown only now. Your bot connects with")
    typer.echo(f"  THOUSAND_SERVER={server} THOUSAND_TOKEN=<the token> python my_bot.py")


def _tell_bots(bots: list[Bot], as_json: bool, *, one: bool) -> None:
    if as_json:
        print_json(plain(bots[0]) if one else {"bots": [plain(bot) for bot in bots]})
        return
    for bot in bots:
        presence = bot.presence
        here = f"{presence.instances} connected, {presence.open_matches} matches open" if presence.instances else "away"
        state = "retired" if bot.retired else here
        tags = f"  [{', '.join(bot.tags)}]" if bot.tags else ""
        typer.echo(f"{bot.bot_id}  {bot.name}  version {len(bot.versions)}  {state}{tags}")
        for made in bot.versions if one else ():
            typer.echo(f"  {made.version}  {made.created_at.ToDatetime():%Y-%m-%d %H:%M}  {made.note}".rstrip())
