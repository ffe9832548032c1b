"""`thousand owner …`: who has bots, and their API keys."""

from typing import Annotated

import typer

from thousand.cli.common import print_json
from thousand.cli.link import DEFAULT_SERVER, AsJson, Key, Server, arena, fresh_key, plain
from thousand.v1 import arena_pb2 as api

app = typer.Typer(help="Owners of bots and their API keys.", no_args_is_help=True)


def mount(root: typer.Typer) -> None:
    """Add `thousand owner …`."""
    root.add_typer(app, name="owner")


@app.command(epilog="Example: thousand owner create 'Ada Lovelace' --key <the organiser's>")
def create(
    name: Annotated[str, typer.Argument(help="1 to 40 characters.")],
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Make an owner and print the API key, which is shown only now. For organisers."""
    with arena(server, key) as link:
        answer = link.call(link.stub.CreateOwner, api.CreateOwnerRequest(name=name, idempotency_key=fresh_key()))
    if as_json:
        print_json(plain(answer))
    else:
        typer.echo(f"owner    {answer.owner.owner_id}\nAPI key  {answer.api_key}\nIt is shown only now.")


@app.command("rotate-key", epilog="Example: thousand owner rotate-key --key <the old one>")
def rotate_key(
    owner: Annotated[str, typer.Option(help="An owner's id; yourself if left out.")] = "",
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Print a new API key; the old one stops working at once."""
    with arena(server, key) as link:
        answer = link.call(link.stub.RotateOwnerKey, api.RotateOwnerKeyRequest(owner_id=owner))
    if as_json:
        print_json(plain(answer))
    else:
        typer.echo(f"API key  {answer.api_key}\nIt is shown only now.")


@app.command(epilog="Example: thousand owner whoami")
def whoami(server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """The role and owner behind the key, and what is left of the owner's quotas."""
    with arena(server, key) as link:
        answer = plain(link.call(link.stub.WhoAmI, api.WhoAmIRequest()))
    if as_json:
        print_json(answer)
    else:
        owner = answer["owner"]
        typer.echo(answer["role"] + (f"  {owner['name']}  {owner['owner_id']}" if owner else ""))
        for quota in answer["quotas"]:
            typer.echo(f"  {quota['name'].replace('_', ' ')}: {quota['used']} of {quota['limit']}")


@app.command("list", epilog="Example: thousand owner list --json")
def list_owners(server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """All owners."""
    with arena(server, key) as link:
        pages = link.pages(link.stub.ListOwners, api.ListOwnersRequest())
        owners = [plain(owner) for page in pages for owner in page.owners]
    if as_json:
        print_json({"owners": owners})
    for owner in () if as_json else owners:
        typer.echo(f"{owner['owner_id']}  {owner['name']}  {owner['role']}")
