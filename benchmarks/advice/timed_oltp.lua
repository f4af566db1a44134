-- One of sysbench's own loads, LOAD (oltp_read_write, ...), with each statement's time as its client
-- sees it. The times are counted in the file QUERY_TIMES, which others read meanwhile: for each
-- thread BUCKETS counters of 64 bits, STEPS of them to a doubling, from a microsecond on.

require(os.getenv("LOAD"))

local ffi = require("ffi")
ffi.cdef[[
typedef struct { int64_t s; int64_t ns; } moment_of_client;
int clock_gettime(int clock, moment_of_client *found);
int open(const char *path, int flags);
int close(int fd);
void *mmap(void *addr, size_t length, int prot, int flags, int fd, int64_t offset);
]]

local BUCKETS, STEPS = 1024, 32
local CLOCK_MONOTONIC, O_RDWR, PROT_READ_WRITE, MAP_SHARED = 1, 2, 3, 1
local found = ffi.new("moment_of_client")
local counted

local function now_us()
  ffi.C.clock_gettime(CLOCK_MONOTONIC, found)
  return tonumber(found.s) * 1e6 + tonumber(found.ns) / 1e3
end

local function count(took_us)
  local bucket = math.floor(math.log(math.max(took_us, 1)) / math.log(2) * STEPS)
  bucket = math.min(bucket, BUCKETS - 1)
  counted[bucket] = counted[bucket] + 1
end

local Timed = {}
Timed.__index = Timed

function Timed:execute()
  local began = now_us()
  local answer = self.statement:execute()
  count(now_us() - began)
  return answer
end

function Timed:close()
  self.statement:close()
end

local function timed(statement)
  return setmetatable({statement = statement}, Timed)
end

local function counters_of_thread()
  local fd = ffi.C.open(os.getenv("QUERY_TIMES"), O_RDWR)
  local size = 8 * BUCKETS * (sysbench.tid + 1)
  local mapped = ffi.C.mmap(nil, size, PROT_READ_WRITE, MAP_SHARED, fd, 0)
  if fd < 0 or ffi.cast("intptr_t", mapped) == -1 then
    error("QUERY_TIMES is no file that can be written")
  end
  ffi.C.close(fd)
  return ffi.cast("uint64_t *", mapped) + BUCKETS * sysbench.tid
end

local connect = thread_init

function thread_init()
  connect()
  counted = counters_of_thread()
  stmt.begin, stmt.commit = timed(stmt.begin), timed(stmt.commit)
  for table_number = 1, sysbench.opt.tables do
    for name, statement in pairs(stmt[table_number]) do
      stmt[table_number][name] = timed(statement)
    end
  end
end
