local days, sun = 365.24, 39.47841760435743
local function bodies()
  return {
    {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, sun},
    {4.84143144246472090, -1.16032004402742839, -0.103622044471123109,
     0.00166007664274403694 * days, 0.00769901118419740425 * days, -0.0000690460016972063023 * days, 0.000954791938424326609 * sun},
    {8.34336671824457987, 4.12479856412430479, -0.403523417114321381,
     -0.00276742510726411107 * days, 0.00499852801234917238 * days, 0.0000230417297573763929 * days, 0.000285885980666130812 * sun},
    {12.8943695621391310, -15.1111514016986312, -0.223307578892655734,
     0.00296460137564761618 * days, 0.00237847173959480950 * days, -0.0000296589568540237556 * days, 0.0000436624404335156298 * sun},
    {15.3796971148509165, -25.9193146099879641, 0.179258772950371181,
     0.00268067772490389322 * days, 0.00162824170038242295 * days, -0.0000951592254519715870 * days, 0.0000515138902046611451 * sun}}
end
local function advance(bs, dt)
  for i = 1, 5 do
    local a = bs[i]
    for j = i + 1, 5 do
      local b = bs[j]
      local dx, dy, dz = a[1] - b[1], a[2] - b[2], a[3] - b[3]
      local d2 = dx * dx + dy * dy + dz * dz
      local mag = dt / (d2 * math.sqrt(d2))
      local ma, mb = mag * a[7], mag * b[7]
      a[4] = a[4] - dx * mb
      a[5] = a[5] - dy * mb
      a[6] = a[6] - dz * mb
      b[4] = b[4] + dx * ma
      b[5] = b[5] + dy * ma
      b[6] = b[6] + dz * ma
    end
    a[1] = a[1] + dt * a[4]
    a[2] = a[2] + dt * a[5]
    a[3] = a[3] + dt * a[6]
  end
end
local function energy(bs)
  local e = 0.0
  for i = 1, 5 do
    local a = bs[i]
    e = e + 0.5 * a[7] * (a[4] * a[4] + a[5] * a[5] + a[6] * a[6])
    for j = i + 1, 5 do
      local b = bs[j]
      local dx, dy, dz = a[1] - b[1], a[2] - b[2], a[3] - b[3]
      e = e - a[7] * b[7] / math.sqrt(dx * dx + dy * dy + dz * dz)
    end
  end
  return e
end
function once()
  local bs = bodies()
  for i = 1, 3000 do advance(bs, 0.01) end
  return math.floor(1e9 * energy(bs) + 0.5)
end
answer, rounds = -169258856, 15
