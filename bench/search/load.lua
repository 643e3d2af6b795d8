-- What wrk sends and says. Its argument is a file of requests, before each its bytes as ten digits; each is sent once
-- while they last, then all of them again.
local threads = {}
local file
again = 0

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  file = assert(io.open(args[1], "rb"))
end

function request()
  local digits = file:read(10)
  if not digits then
    again = again + 1
    file:seek("set", 0)
    digits = file:read(10)
  end
  return file:read(tonumber(digits))
end

function done(summary, latency)
  local repeated = 0
  for _, thread in ipairs(threads) do
    repeated = repeated + thread:get("again")
  end
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local times = {}
  for i = 1, #latency do
    local value, count = latency(i)
    table.insert(times, string.format("[%d,%d]", value, count))
  end
  io.write(string.format('\n{"repeated":%d,"failed":%d,"requests":%d,"microseconds":%d,"times":[%s]}\n',
    repeated, failed, summary.requests, summary.duration, table.concat(times, ",")))
end
