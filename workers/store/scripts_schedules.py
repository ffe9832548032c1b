"""What must happen at once or not at all about schedules, as Lua."""

from typing import Final

# KEYS schedules schedule due | ARGV id, spec, settled, next look ; 0: it is there
CREATE_SCHEDULE: Final = """
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[2], 'paused', 0, 'settled', ARGV[3])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
return 1
"""

# KEYS schedules schedule due | ARGV id, paused (0/1), now, next look ; 0: there is none, or it is so already
PAUSE_SCHEDULE: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('HGET', KEYS[2], 'paused') == ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], 'paused', ARGV[2])
redis.call('HDEL', KEYS[2], 'waiting')
if ARGV[2] == '1' then
  redis.call('ZREM', KEYS[3], ARGV[1])
else
  redis.call('HSET', KEYS[2], 'settled', ARGV[3])
  redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
end
return 1
"""

# KEYS schedule due runs opening | ARGV id, expected settled, settled, next look, waiting, field of the run to open
# ('': none), that run, its tournament, runs kept, then runs dropped ... ; 0: somebody judged, or it is paused or gone
JUDGE: Final = """
if redis.call('HGET', KEYS[1], 'settled') ~= ARGV[2] or redis.call('HGET', KEYS[1], 'paused') ~= '0' then return 0 end
redis.call('HSET', KEYS[1], 'settled', ARGV[3], 'waiting', ARGV[5])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
if ARGV[6] ~= '' then
  redis.call('HSET', KEYS[4], ARGV[6], ARGV[7])
  redis.call('HSET', KEYS[1], 'last', ARGV[8])
  redis.call('HINCRBY', KEYS[1], 'runs', 1)
end
for i = 10, #ARGV do redis.call('RPUSH', KEYS[3], ARGV[i]) end
redis.call('LTRIM', KEYS[3], -tonumber(ARGV[9]), -1)
return 1
"""

# KEYS opening runs schedules tournament | ARGV field, schedule id, run, opened (0/1), runs kept ; 0: done before, or
# the tournament is there and the run cannot be dropped any more
CLOSE_RUN: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if ARGV[4] == '0' and redis.call('EXISTS', KEYS[4]) == 1 then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
if redis.call('HEXISTS', KEYS[3], ARGV[2]) == 1 then
  redis.call('RPUSH', KEYS[2], ARGV[3])
  redis.call('LTRIM', KEYS[2], -tonumber(ARGV[5]), -1)
end
return 1
"""
