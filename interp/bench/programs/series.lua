local function leibniz(n)
  local s = 0.0
  for k = 0, n - 1 do
    if k % 2 == 0 then s = s + 1.0 / (2 * k + 1) else s = s - 1.0 / (2 * k + 1) end
  end
  return 4 * s
end
local function harmonic(n)
  local s = 0
  for k = 1, n do s = s + 1.0 / k end
  return s
end
local function pendulum(n, dt)
  local x, v = 1.0, 0.0
  for i = 1, n do
    v = v - dt * (x + 0.1 * v)
    x = x + dt * v
  end
  return x
end
local function mean(n)
  local s = 0.0
  for i = 0, n - 1 do s = s + i * 0.5 end
  return s / n
end
function once() return math.floor(1e6 * (leibniz(60000) + harmonic(60000) + pendulum(60000, 0.001) + mean(60000)) + 0.5) end
answer, rounds = 15014421925, 6
