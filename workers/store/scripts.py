"""What must happen at once or not at all, as Lua. Each script may be sent again after a lost reply.
Those about people are in `scripts_people`, those about schedules in `scripts_schedules`.

Law: whoever holds an older fence of a block changes nothing.
"""

from typing import Final

_UNSEAT: Final = """
local function unseat(block, seats)
  local held = redis.call('HGET', block, 'reserved')
  if held and held ~= '' then
    local places = tonumber(redis.call('HGET', block, 'places'))
    for field in string.gmatch(held, '[^\\n]+') do
      if redis.call('HINCRBY', seats, field, -places) <= 0 then redis.call('HDEL', seats, field) end
    end
    redis.call('HSET', block, 'reserved', '')
  end
end
"""

# KEYS tournament tournaments opening | ARGV id, spec, when created, listed (0/1), field of `opening` that must be there
# ('': none), then field, value ... ; 0: it is there, or must not be
CREATE_TOURNAMENT: Final = """
if ARGV[5] ~= '' and redis.call('HEXISTS', KEYS[3], ARGV[5]) == 0 then return 0 end
if redis.call('HSETNX', KEYS[1], 'spec', ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 6))
if ARGV[4] == '1' then redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1]) end
return 1
"""

# KEYS tournament planned opened matches | ARGV expected_next, key prefixes of block and match, count,
# then per block: id, spec, match ids (newline)
OPEN_BLOCKS: Final = """
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'next')) ~= tonumber(ARGV[1]) then return 0 end
local n = tonumber(ARGV[4])
for i = 0, n - 1 do
  local id, spec, ids = ARGV[5 + 3*i], ARGV[6 + 3*i], ARGV[7 + 3*i]
  redis.call('HSET', ARGV[2] .. id, 'spec', spec, 'state', 'planned', 'fence', 0, 'reserved', '', 'postponements', 0)
  redis.call('ZADD', KEYS[2], 0, id)
  redis.call('SADD', KEYS[3], id)
  for m in string.gmatch(ids, '[^\\n]+') do
    redis.call('HSET', ARGV[3] .. m, 'block', id)
    redis.call('RPUSH', KEYS[4], m)
  end
end
redis.call('HINCRBY', KEYS[1], 'next', n)
return n
"""

# KEYS tournament | ARGV round, end, matches in it
OPEN_ROUND: Final = """
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'round')) ~= tonumber(ARGV[1]) - 1 then return 0 end
local begin = redis.call('HGET', KEYS[1], 'round_end')
redis.call('HSET', KEYS[1], 'round', ARGV[1], 'round_begin', begin, 'round_end', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'matches', ARGV[3])
return 1
"""

# KEYS tournament rounds secrets memory | ARGV round, end, matches in it, Round, secret, what is remembered before it
OPEN_OWN_ROUND: Final = """
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'round')) ~= tonumber(ARGV[1]) - 1 then return 0 end
local begin = redis.call('HGET', KEYS[1], 'round_end')
redis.call('HSET', KEYS[1], 'round', ARGV[1], 'round_begin', begin, 'round_end', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'matches', ARGV[3])
redis.call('RPUSH', KEYS[2], ARGV[4])
redis.call('RPUSH', KEYS[3], ARGV[5])
redis.call('SET', KEYS[4], ARGV[6])
return 1
"""

# KEYS block planned leased seats | ARGV block id, until, referee, instances, wanted places, matches at once per place,
# then field, capacity ...
RESERVE: Final = """
if redis.call('HGET', KEYS[1], 'state') ~= 'planned' then return {0, 0} end
local places = tonumber(ARGV[5])
for i = 7, #ARGV, 2 do
  local free = tonumber(ARGV[i + 1]) - tonumber(redis.call('HGET', KEYS[4], ARGV[i]) or '0')
  if free < places then places = free end
end
if places < 1 then return {0, 0} end
local held = {}
for i = 7, #ARGV, 2 do
  redis.call('HINCRBY', KEYS[4], ARGV[i], places)
  held[#held + 1] = ARGV[i]
end
local fence = redis.call('HINCRBY', KEYS[1], 'fence', 1)
redis.call('HSET', KEYS[1], 'state', 'queued', 'referee', ARGV[3], 'instances', ARGV[4], 'places', places,
  'at_once', places * ARGV[6], 'reserved', table.concat(held, '\\n'), 'claimant', '')
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
return {fence, places}
"""

_FENCED: Final = "if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[2] then return 0 end\n"

# KEYS block leased | ARGV block id, fence, claimant, life_ms
CLAIM: Final = (
    _FENCED
    + """
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'running' then
  if redis.call('HGET', KEYS[1], 'claimant') ~= ARGV[3] then return 0 end
elseif state ~= 'queued' then return 0 end
local t = redis.call('TIME')
redis.call('HSET', KEYS[1], 'state', 'running', 'claimant', ARGV[3])
redis.call('ZADD', KEYS[2], t[1] * 1000 + math.floor(t[2] / 1000) + ARGV[4], ARGV[1])
return 1
"""
)

# KEYS block planned leased seats | ARGV block id, fence, not_before, postponed (0/1), expired_at ('' or now)
HAND_BACK: Final = (
    _UNSEAT
    + _FENCED
    + """
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'queued' and state ~= 'running' then return 0 end
if ARGV[5] ~= '' then
  local ends = redis.call('ZSCORE', KEYS[3], ARGV[1])
  if not ends or tonumber(ends) > tonumber(ARGV[5]) then return 0 end
end
unseat(KEYS[1], KEYS[4])
redis.call('HSET', KEYS[1], 'state', 'planned', 'claimant', '')
redis.call('HINCRBY', KEYS[1], 'fence', 1)
redis.call('HINCRBY', KEYS[1], 'postponements', ARGV[4])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
"""
)

# KEYS block planned | ARGV block id, fence, not_before: a bot of a planned block is absent
POSTPONE: Final = (
    _FENCED
    + """
if redis.call('HGET', KEYS[1], 'state') ~= 'planned' then return 0 end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return redis.call('HINCRBY', KEYS[1], 'postponements', 1)
"""
)

# KEYS block journal match | ARGV block id, fence, first seq, entries... ; -1 fenced, -2 gap, else entries stored
JOURNAL: Final = """
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[2] then return -1 end
if redis.call('HEXISTS', KEYS[3], 'report') == 1 then return -1 end
local have = redis.call('LLEN', KEYS[2])
local first = tonumber(ARGV[3])
if first > have then return -2 end
for i = 4 + have - first, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[i]) end
return redis.call('LLEN', KEYS[2])
"""

# KEYS block match journal conflicts | ARGV block id, fence, match id, report, record ; the fence counts only at first
COMMIT: Final = """
local had = redis.call('HGET', KEYS[2], 'report')
if had then
  if had == ARGV[4] then return 'same' end
  redis.call('RPUSH', KEYS[4], cjson.encode({match = ARGV[3], kept = had, refused = ARGV[4]}))
  return 'conflict'
end
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[2] then return 'fenced' end
redis.call('HSET', KEYS[2], 'report', ARGV[4], 'record', ARGV[5])
redis.call('DEL', KEYS[3])
return 'stored'
"""

# KEYS block planned leased seats tournament waiting opened | ARGV block id, fence, index, entry,
# finished, no_show, decisions, strikes
FINISH: Final = (
    _UNSEAT
    + """
if redis.call('HGET', KEYS[1], 'state') == 'done' then return 1 end
"""
    + _FENCED
    + """
if redis.call('HGET', KEYS[1], 'state') == 'cancelled' then return 0 end
unseat(KEYS[1], KEYS[4])
redis.call('HSET', KEYS[1], 'state', 'done', 'claimant', '')
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('SREM', KEYS[7], ARGV[1])
redis.call('HSET', KEYS[6], ARGV[3], ARGV[4])
redis.call('HINCRBY', KEYS[5], 'blocks_finished', 1)
redis.call('HINCRBY', KEYS[5], 'finished', ARGV[5])
redis.call('HINCRBY', KEYS[5], 'no_show', ARGV[6])
redis.call('HINCRBY', KEYS[5], 'decisions', ARGV[7])
redis.call('HINCRBY', KEYS[5], 'strikes', ARGV[8])
return 1
"""
)

_SETTLE: Final = """
local function settle(tournament, waiting, ledger, settled, times, most)
  local front = tonumber(redis.call('HGET', tournament, 'front'))
  local moved = 0
  while moved < most do
    local entry = redis.call('HGET', waiting, front)
    if not entry then break end
    if entry ~= '-' then
      local length = redis.call('RPUSH', ledger, entry)
      redis.call('RPUSH', settled, length - 1)
    end
    redis.call('HDEL', waiting, front)
    front = front + 1
    moved = moved + 1
  end
  redis.call('HSET', tournament, 'front', front)
  if moved > 0 then
    local t = redis.call('TIME')
    local now = t[1] * 1000 + math.floor(t[2] / 1000)
    local last = redis.call('ZREVRANGE', times, 0, 0, 'WITHSCORES')[2]
    if not last or now - last >= 3600000 then redis.call('ZADD', times, now, redis.call('LLEN', ledger) - 1) end
  end
  return moved
end
"""

# KEYS tournament waiting ledger settled times | ARGV at most ; how many moved
SETTLE: Final = _SETTLE + "return settle(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], tonumber(ARGV[1]))"

# KEYS tournament active planned leased seats waiting opened ledger settled times
# ARGV tournament id, key prefixes of block and journal
CANCEL: Final = (
    _UNSEAT
    + _SETTLE
    + """
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'running' and state ~= 'open' then return 0 end
redis.call('HSET', KEYS[1], 'state', 'cancelled')
redis.call('SREM', KEYS[2], ARGV[1])
for _, id in ipairs(redis.call('SMEMBERS', KEYS[7])) do
  local block = ARGV[2] .. id
  unseat(block, KEYS[5])
  redis.call('HSET', block, 'state', 'cancelled')
  redis.call('HINCRBY', block, 'fence', 1)
  redis.call('ZREM', KEYS[3], id)
  redis.call('ZREM', KEYS[4], id)
  for _, match in ipairs(cjson.decode(redis.call('HGET', block, 'spec')).matches) do
    redis.call('DEL', ARGV[3] .. match.match_id)
  end
  redis.call('HSET', KEYS[6], tonumber(string.match(id, '(%d+)$')), '-')
end
redis.call('DEL', KEYS[7])
settle(KEYS[1], KEYS[6], KEYS[8], KEYS[9], KEYS[10], math.huge)
return 1
"""
)

# KEYS tournament active | ARGV tournament id, from, to
TURN: Final = """
if redis.call('HGET', KEYS[1], 'state') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[3])
if ARGV[3] == 'running' then redis.call('SADD', KEYS[2], ARGV[1]) else redis.call('SREM', KEYS[2], ARGV[1]) end
return 1
"""

# KEYS standings order pairs histories | ARGV the leaderboard's start, expected cursor, how many rows of each hash,
# then field, value, score ('' for what is no player) of the first; field, value of the others
PROJECT: Final = """
local head = redis.call('HGET', KEYS[1], '#')
local cursor = head and cjson.decode(head)['cursor'] or tonumber(ARGV[1])
if cursor ~= tonumber(ARGV[2]) then return 0 end
local at = 6
for _ = 1, tonumber(ARGV[3]) do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
  if ARGV[at + 2] ~= '' then redis.call('ZADD', KEYS[2], ARGV[at + 2], ARGV[at]) end
  at = at + 3
end
for hash = 3, 4 do
  for _ = 1, tonumber(ARGV[hash + 1]) do
    redis.call('HSET', KEYS[hash], ARGV[at], ARGV[at + 1])
    at = at + 2
  end
end
return 1
"""

# KEYS standings order leaderboards bots times changes | ARGV leaderboard id, start, stop, milliseconds until idle,
# known state ; the state of what follows, alone if it is the known one: leaderboard, head, how many players, how many
# before the rows, the last place in the ledger that is idle, then key, standing, bot of all players from start to stop
# and of those who share a score with the first or the last
PAGE: Final = """
local t = redis.call('TIME')
local since = t[1] * 1000 + math.floor(t[2] / 1000) - ARGV[4]
local idle = redis.call('ZREVRANGEBYSCORE', KEYS[5], since, '-inf', 'LIMIT', 0, 1)[1] or -1
local size = redis.call('ZCARD', KEYS[2])
local head = redis.call('HGET', KEYS[1], '#')
local changes = redis.call('GET', KEYS[6])
local state = table.concat({tostring(head), size, idle, tostring(changes)}, ' ')
if state == ARGV[5] then return {state} end
local found = {state, redis.call('HGET', KEYS[3], ARGV[1]), head, size, 0, idle}
local start, stop = tonumber(ARGV[2]), math.min(tonumber(ARGV[3]), size - 1)
if start <= stop then
  local high = redis.call('ZREVRANGE', KEYS[2], start, start, 'WITHSCORES')[2]
  local low = redis.call('ZREVRANGE', KEYS[2], stop, stop, 'WITHSCORES')[2]
  found[5] = redis.call('ZCOUNT', KEYS[2], '(' .. high, '+inf')
  local players = redis.call('ZREVRANGEBYSCORE', KEYS[2], high, low)
  for at = 1, #players, 1000 do -- so many, since Lua's stack is bounded
    local chosen, bots = {}, {}
    for i = at, math.min(at + 999, #players) do
      chosen[#chosen + 1] = players[i]
      bots[#bots + 1] = string.match(players[i], '^(.*)%.')
    end
    local standings, named = redis.call('HMGET', KEYS[1], unpack(chosen)), redis.call('HMGET', KEYS[4], unpack(bots))
    for i = 1, #chosen do
      found[#found + 1] = chosen[i]
      found[#found + 1] = standings[i]
      found[#found + 1] = named[i]
    end
  end
end
return found
"""

# KEYS hash changes | ARGV field, expected, new
SWAP: Final = """
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('INCR', KEYS[2])
return 1
"""

_UNTIL: Final = """
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
"""

# KEYS referees until | ARGV id, referee, life_ms, take the place of another (0/1) ; 0: the place is another's
REGISTER: Final = (
    _UNTIL
    + """
if ARGV[4] == '0' then
  local had, ends = redis.call('HGET', KEYS[1], ARGV[1]), redis.call('ZSCORE', KEYS[2], ARGV[1])
  if had and had ~= ARGV[2] and ends and tonumber(ends) > now then return 0 end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
return 1
"""
)

# KEYS referees until ; those whose registration holds, the others are forgotten
REGISTERED: Final = (
    _UNTIL
    + """
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do redis.call('HDEL', KEYS[1], id) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
return redis.call('HVALS', KEYS[1])
"""
)

# KEYS referees until presence | ARGV id, referee ; 0: the place is another's
UNREGISTER: Final = """
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[3])
return 1
"""
