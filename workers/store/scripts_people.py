"""What must happen at once or not at all about owners, bots, quotas, and the arena itself, as Lua."""

from typing import Final

# KEYS objects names order own-order | ARGV id, name key, object, "name\0id", at most (-1: no limit) ; the id that has
# the name, or '' at the limit. `own-order` is that of one owner; the same as `order` where nobody owns.
CREATE_NAMED: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return ARGV[1] end
local had = redis.call('HGET', KEYS[2], ARGV[2])
if had then return had end
if tonumber(ARGV[5]) >= 0 and redis.call('ZCARD', KEYS[4]) >= tonumber(ARGV[5]) then return '' end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('ZADD', KEYS[3], 0, ARGV[4])
redis.call('ZADD', KEYS[4], 0, ARGV[4])
return ARGV[1]
"""

# KEYS api-keys owner-keys | ARGV owner id, hash, only as the first (0/1) ; 0: the owner has one
SET_API_KEY: Final = """
local old = redis.call('HGET', KEYS[2], ARGV[1])
if old and ARGV[3] == '1' then return 0 end
if old then redis.call('HDEL', KEYS[1], old) end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
"""

# KEYS spent | ARGV what, at most, now, lifetime in ms (0: none) ; 0: the quota is spent
SPEND: Final = """
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
if ARGV[4] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1
"""

# KEYS generations rotation | ARGV bot id, lifetime in s ; the generation, made once for this key
ROTATE: Final = """
local had = redis.call('GET', KEYS[2])
if had then return tonumber(had) end
local generation = redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('SET', KEYS[2], generation, 'EX', ARGV[2])
return generation
"""

# KEYS arena | ARGV holder, life_ms ; the other who has it, else ''
TAKE_LEASE: Final = """
local had = redis.call('GET', KEYS[1])
if had and had ~= ARGV[1] then return had end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ''
"""

# KEYS arena | ARGV holder
RELEASE_LEASE: Final = """
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
"""
