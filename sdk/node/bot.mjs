// A bot that needs no rules engine: the referee lists every legal action, the view says the rest.
// Usage: THOUSAND_SERVER=127.0.0.1:4800 THOUSAND_TOKEN=... node bot.mjs   (the arena's address, or a referee's own)
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

const protos = process.env.THOUSAND_PROTO ?? fileURLToPath(new URL('../../proto', import.meta.url));
const files = ['thousand/v1/play.proto', 'thousand/v1/arena.proto'];
const { BotService, ArenaService } = grpc.loadPackageDefinition(
  loader.loadSync(files, { includeDirs: [protos], enums: Number, longs: String, defaults: true, oneofs: true }),
).thousand.v1;

const server = process.env.THOUSAND_SERVER ?? '127.0.0.1:4800';
const token = process.env.THOUSAND_TOKEN;
if (!token) {
  console.error('no token: set THOUSAND_TOKEN; `thousand bot create NAME` makes one');
  process.exit(2);
}
const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]):\d+$/.test(server);
const credentials = local ? grpc.credentials.createInsecure() : grpc.credentials.createSsl();
const metadata = new grpc.Metadata();
metadata.set('authorization', `Bearer ${token}`);
const instance = randomUUID();
const fatal = new Set([grpc.status.UNAUTHENTICATED, grpc.status.PERMISSION_DENIED, grpc.status.INVALID_ARGUMENT,
  grpc.status.FAILED_PRECONDITION, grpc.status.ALREADY_EXISTS]);

// A card's number is 1 + 6 * suit + rank (card.proto); ranks 0..5 = 9 J Q K 10 A.
const POINTS = [0, 2, 3, 4, 10, 11];
const rank = (card) => (card - 1) % 6;
const suit = (card) => Math.floor((card - 1) / 6);
const points = (cards) => cards.reduce((sum, card) => sum + POINTS[rank(card)], 0);
const marriages = (cards) => [40, 60, 80, 100].reduce(
  (sum, worth, s) => sum + ([2, 3].every((r) => cards.includes(1 + 6 * s + r)) ? worth : 0), 0);
const KIND = { cut: 1, recut: 2, tuck: 3, redeal: 4, accept: 5, look: 6, bid: 7, blind: 8, pass: 9, choose: 10,
  give: 11, writeOff: 12, contract: 13, play: 14 };

// The index of the action chosen: the one with the highest value.
function decide(view, actions) {
  const hand = view.hand?.cards ?? [];
  const worth = points(hand) + marriages(hand);
  const last = view.tricks.at(-1);
  const trick = last && last._winner === undefined ? last : undefined; // the one being played
  const value = (action) => {
    switch (action.kind) {
      case KIND.look: return 1;
      case KIND.accept: return 1;
      case KIND.bid: return action.amount <= Math.max(100, worth + 20) ? action.amount : -action.amount;
      case KIND.pass: return 0;
      case KIND.contract: return -action.amount;
      case KIND.give: {
        const given = action.gives.map((g) => g.card);
        const kept = hand.filter((card) => !given.includes(card));
        return marriages(kept) * 2 - points(given);
      }
      case KIND.play: {
        if (action.announce) return 1000;
        if (!trick) return rank(action.card) === 5 ? 100 : -POINTS[rank(action.card)]; // lead aces, else low
        const led = trick.cards.filter((card) => card && suit(card) === suit(trick.cards[0]));
        const wins = suit(action.card) === suit(trick.cards[0]) && led.every((card) => rank(card) < rank(action.card));
        return wins ? POINTS[rank(action.card)] : -POINTS[rank(action.card)];
      }
      default: return -1; // never blind, no redeal, no write-off
    }
  };
  const values = actions.map(value);
  return values.indexOf(Math.max(...values));
}

function play(address, pause = 100) {
  const stream = new BotService(address, credentials).Play(metadata);
  const send = (...items) => stream.write({ items });
  send({ hello: { protocolMin: 1, protocolMax: 1, client: 'thousand-node 0.1.0', instanceId: instance, maxMatches: 10 } });
  let welcomed = false;
  open.add(address);
  stream.on('data', ({ items }) => {
    const answers = [];
    for (const item of items) {
      if (item.welcome) welcomed = true;
      if (item.matchStarted) answers.push({ ready: { matchId: item.matchStarted.matchId } });
      if (item.decision) {
        const { matchId, decisionId, view, actions } = item.decision;
        answers.push({ answer: { matchId, decisionId, index: decide(view, actions) } });
      }
      if (item.answerRejected) console.error(`rejected: ${item.answerRejected.reason}`);
      if (item.matchFinished) console.log(`match ${item.matchFinished.matchId}: ${item.matchFinished.outcome.ranking}`);
    }
    if (answers.length) send(...answers);
  });
  const again = () => {
    open.delete(address);
    setTimeout(connect, pause, Math.min(welcomed ? 100 : pause * 2, 5000));
  };
  stream.on('end', again);
  stream.on('error', (error) => {
    if (!fatal.has(error.code)) return again();
    console.error(error.message);
    process.exit(1);
  });
}

// One stream to each referee that the arena lists; listed again after a loss. No arena there: it is a referee.
function connect(pause = 100) {
  new ArenaService(server, credentials).ListReferees({}, metadata, (error, listed) => {
    if (error && fatal.has(error.code)) {
      console.error(`${server}: ${error.message}`);
      process.exit(1);
    }
    if (error && error.code !== grpc.status.UNIMPLEMENTED) {
      return void setTimeout(connect, pause, Math.min(pause * 2, 5000));
    }
    const addresses = error ? [server] : listed.referees.filter((r) => !r.draining).map((r) => r.botAddress);
    for (const address of addresses) if (!open.has(address)) play(address, pause);
    if (!addresses.length) setTimeout(connect, 5000);
  });
}

const open = new Set();
connect();
