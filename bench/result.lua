-- What bench/wrk.ts reads of a run.
function done(summary, latency, requests)
  local errors = summary.errors
  local failures = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    'RESULT {"requests":%d,"us":%d,"p50":%d,"p99":%d,"max":%d,"failures":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max, failures))
end
