#include <algorithm>
#include <cmath>
#include <random>
#include <reference/answers.hpp>
#include <reference/verified.hpp>

namespace articulate::reference {

std::vector<int> Problem::dependent() const
{
  std::vector<int> others;
  for (int k = 0; k < static_cast<int>(in.q.size()); ++k)
    if (std::find(independent.begin(), independent.end(), k) == independent.end()) others.push_back(k);
  return others;
}

Problem Problem::nudged(std::uint64_t seed) const
{
  Problem moved = *this;
  moved.in = in.nudged(seed);
  std::mt19937_64 engine(seed);
  const auto nudge = [&](auto& numbers) {
    for (double& x : numbers)
      if (x != 0) x = std::nextafter(x, engine() % 2 ? INFINITY : -INFINITY);
  };
  for (Loop& loop : moved.loops)
    for (Loop::End* end : {&loop.first, &loop.second}) nudge(end->position), nudge(end->quaternion);
  return moved;
}

void require_closable(const Problem& problem, int rows, int rates)
{
  if (static_cast<int>(problem.in.q.size()) != rates)
    throw Unverified("loops are closed for joints without quaternions alone.");
  for (const Loop& loop : problem.loops)
    if (loop.turning == Turning::none || loop.pitch != 0)
      throw Unverified("loop '" + loop.name + "' demands an angle, whose derivatives are known only where it is met.");
  const auto unknown = static_cast<int>(problem.dependent().size());
  if (rows != unknown)
    throw Unverified("the loops have " + std::to_string(rows) + " rows for " + std::to_string(unknown) +
                     " dependent coordinates; a minimal set has one for each.");
}

}  // namespace articulate::reference
