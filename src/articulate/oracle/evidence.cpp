#include <articulate/oracle/evidence.hpp>
#include <articulate/constrained/semidefinite.hpp>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <set>

namespace articulate::oracle {
namespace {

/// Some equations, in the making: a sum of others has their roundings, and is zero where its terms cancel.
struct Sums {
  MatrixX<double> A, terms;
  VectorX<double> b, rounding;

  void subtract(const Sums& other, double factor)
  {
    A -= factor * other.A, b -= factor * other.b;
    terms += std::abs(factor) * other.terms, rounding += std::abs(factor) * other.rounding;
  }
};

Sums joint_forces(const Origin& rows, const MatrixX<double>& A, const VectorX<double>& b,
                  const VectorX<double>& rounding)
{
  if (!rows.undoing.size()) return {A, A.cwiseAbs(), b, rounding};
  const MatrixX<double>&U = rows.undoing, absolute = U.cwiseAbs();
  return {U * A, absolute * A.cwiseAbs(), U * b, absolute * rounding};
}

/// How many pivots of a matrix are not small.
Eigen::Index rank(const MatrixX<double>& A, double least)
{
  if (A.size() == 0) return 0;
  const Eigen::ColPivHouseholderQR<MatrixX<double>> qr(A);
  return (qr.matrixQR().diagonal().array().abs() > least).count();
}

double least_pivot(const MatrixX<double>& A)
{
  return A.size() ? rank_tolerance<double>(static_cast<int>(A.cols())) * A.colwise().norm().maxCoeff() : 0;
}

}  // namespace

bool is_one_place(const Question& a, const Question& b)
{
  const auto same = [](const Wrench<double>& F, const Wrench<double>& G) { return coordinates(F) == coordinates(G); };
  return a.q == b.q && a.qd == b.qd && a.gravity.eigen() == b.gravity.eigen() &&
         std::equal(a.external_wrenches.begin(), a.external_wrenches.end(), b.external_wrenches.begin(),
                    b.external_wrenches.end(), same);
}

Equations independent(const std::vector<Origin>& rows, const MatrixX<double>& A, const VectorX<double>& b,
                      const VectorX<double>& rounding)
{
  std::vector<Sums> forces;
  std::map<std::size_t, std::vector<std::size_t>> by_state;
  Eigen::Index at = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Eigen::Index count = rows[r].count;
    forces.push_back(joint_forces(rows[r], A.middleRows(at, count), b.segment(at, count), rounding.segment(at, count)));
    by_state[rows[r].state].push_back(r);
    at += count;
  }
  Equations left;
  std::set<std::size_t> dropped;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t before = 0; before < r && !dropped.count(r); ++before)
      if (rows[r].sum != Origin::Sum::beside && rows[r].sum == rows[before].sum &&
          rows[r].x.qdd == rows[before].x.qdd && is_one_place(rows[r].x, rows[before].x))
        dropped.insert(r);
  // [independent]
  for (const auto& [state, of_state] : by_state) {
    std::map<Origin::Sum, std::vector<std::size_t>> by_sum;
    for (const std::size_t r : of_state) by_sum[rows[r].sum].push_back(r);
    const std::vector<std::size_t>&motions = by_sum[Origin::Sum::motion], &columns = by_sum[Origin::Sum::inertia];
    if (motions.empty()) continue;
    // What M says is taken out of each motion if M is known, and else the differences of motions are left, which M makes.
    const bool is_M_known = static_cast<Eigen::Index>(columns.size()) == rows[motions[0]].x.qd.size();
    if (is_M_known)
      for (const std::size_t r : motions)
        for (const std::size_t k : columns) forces[r].subtract(forces[k], rows[r].x.qdd(rows[k].column));
    Eigen::Index differences = 0;
    for (auto r = motions.begin() + 1; r != motions.end(); ++r) {
      if (is_M_known) dropped.insert(*r);
      forces[*r].subtract(forces[motions[0]], 1);
      // M is symmetric: of two such differences a and b of accelerations, a^T M b = b^T M a.
      if (!dropped.count(*r)) left.repeated[*r] = differences++;
    }
    for (const Origin::Sum part : {Origin::Sum::gravity, Origin::Sum::coriolis})
      if (!by_sum[part].empty()) forces[motions[0]].subtract(forces[by_sum[part][0]], 1);
  }
  // [independent]
  // Only what the unknowns reach says something of them. The lower triangle of M repeats the upper one.
  std::vector<std::pair<std::size_t, Eigen::Index>> kept;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (dropped.count(r)) continue;
    Sums& of = forces[r];
    for (Eigen::Index i = 0; i < of.b.size(); ++i) {
      const bool is_in_M = rows[r].sum == Origin::Sum::inertia;
      if (is_in_M && i > rows[r].column) continue;
      const int unknowns = static_cast<int>(A.cols());
      const double least = articulate::rounding<double>(unknowns) * of.terms.row(i).maxCoeff();
      for (Eigen::Index c = 0; c < A.cols(); ++c)
        if (std::abs(of.A(i, c)) <= std::max(least, rank_tolerance<double>(unknowns) * of.terms(i, c))) of.A(i, c) = 0;
      if (!of.A.row(i).isZero(0))
        kept.emplace_back(r, i);
      else if (is_in_M)
        ++left.off_diagonal;
    }
  }
  const auto count = static_cast<Eigen::Index>(kept.size());
  left.A.resize(count, A.cols()), left.b.resize(count), left.rounding.resize(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto& [r, i] = kept[static_cast<std::size_t>(k)];
    left.A.row(k) = forces[r].A.row(i), left.b(k) = forces[r].b(i), left.rounding(k) = forces[r].rounding(i);
    left.state.push_back(rows[r].state), left.table.push_back(r), left.sum.push_back(rows[r].sum);
  }
  return left;
}

// [evidence]
Evidence::Evidence(Equations equations, double most_roundings, const std::function<MatrixX<double>(std::size_t)>& local)
    : all_(std::move(equations)), local_(local)
{
  const auto is_wrong = [&](Eigen::Index k) { return std::abs(all_.b(k)) > most_roundings * all_.rounding(k); };
  // Joints that are parallel feel one moment alike.
  const auto is_as = [&](Eigen::Index k, Eigen::Index before, double sign) {
    const double far = rank_tolerance<double>(static_cast<int>(all_.A.cols())) * all_.A.row(k).cwiseAbs().maxCoeff();
    return (all_.A.row(k) - sign * all_.A.row(before)).cwiseAbs().maxCoeff() <= far &&
           std::abs(all_.b(k) - sign * all_.b(before)) <= most_roundings * (all_.rounding(k) + all_.rounding(before));
  };
  std::vector<Eigen::Index> right;
  for (Eigen::Index k = 0; k < all_.b.size(); ++k) {
    if (!is_wrong(k))
      right.push_back(k);
    else if (std::none_of(wrong_.begin(), wrong_.end(), [&](Eigen::Index before) {
               const auto i = static_cast<std::size_t>(k), j = static_cast<std::size_t>(before);
               return all_.state[i] == all_.state[j] && all_.sum[j] != Origin::Sum::beside &&
                      (is_as(k, before, 1) || is_as(k, before, -1));
             }))
      wrong_.push_back(k);
  }
  // Unknowns in units of what they do, so that none is small.
  const VectorX<double> size = all_.A.colwise().norm();
  for (Eigen::Index c = 0; c < size.size(); ++c)
    if (size(c) > 0) all_.A.col(c) /= size(c);
  least_ = least_pivot(all_.A);
  const MatrixX<double> of_right = all_.A(right, Eigen::all).transpose();
  free_ = all_.A;
  if (!right.empty()) {
    const Eigen::ColPivHouseholderQR<MatrixX<double>> qr(of_right);
    const Eigen::Index fixed = (qr.matrixQR().diagonal().array().abs() > least_).count();
    const MatrixX<double> Q = qr.householderQ();
    free_ = all_.A * Q.rightCols(Q.cols() - fixed);
  }
  std::erase_if(wrong_, [&](Eigen::Index k) { return free_.row(k).size() == 0 || free_.row(k).norm() <= least_; });
}

Eigen::Index Evidence::rank_of(const std::vector<Eigen::Index>& wrong) const
{
  return rank(free_(wrong, Eigen::all), least_);
}

/// Forces on few links make no more equations than they have numbers, whatever the number of joints that feel them; what
/// the inertia of a link makes of M has 21.
Eigen::Index Evidence::equations_in(const std::vector<Eigen::Index>& wrong) const
{
  std::map<std::pair<bool, std::size_t>, std::vector<std::size_t>> tables;
  for (const Eigen::Index k : wrong) {
    const auto i = static_cast<std::size_t>(k);
    const bool is_in_M = all_.sum[i] == Origin::Sum::inertia;
    tables[{is_in_M, is_in_M ? all_.state[i] : all_.table[i]}].push_back(i);
  }
  Eigen::Index count = 0;
  for (const auto& [table, of_table] : tables) {
    auto most = static_cast<Eigen::Index>(of_table.size());
    if (local_ && all_.sum[of_table[0]] != Origin::Sum::beside) {
      const MatrixX<double> of_links = local_(all_.state[of_table[0]]);
      const Eigen::Index numbers = of_links.cols() * (of_links.cols() + 1) / 2;
      most = std::min(most, table.first ? numbers : rank(of_links, least_pivot(of_links)));
    }
    const auto repeated = all_.repeated.find(all_.table[of_table[0]]);
    count += std::max<Eigen::Index>(most - (repeated == all_.repeated.end() ? 0 : repeated->second), 0);
  }
  return count;
}

bool Evidence::could_have_failed(bool diagonal) const
{
  const Eigen::Index count = equations_in(wrong_), rank = rank_of(wrong_);
  if (rank == 0) return false;
  if (diagonal && all_.off_diagonal > 0) return count + all_.off_diagonal >= rank + std::max<Eigen::Index>(2, rank / 2);
  // An equation whose leverage is one is met by every fit.
  const MatrixX<double> of_wrong = free_(wrong_, Eigen::all);
  const Eigen::ColPivHouseholderQR<MatrixX<double>> qr(of_wrong);
  const VectorX<double> leverage =
      (qr.householderQ() * MatrixX<double>::Identity(of_wrong.rows(), rank)).rowwise().squaredNorm();
  const double full = 1 - rank_tolerance<double>(static_cast<int>(of_wrong.cols()));
  const Eigen::Index met = (leverage.array() > full).count();
  return count - rank >= std::max<Eigen::Index>(2, (rank - met) / 2);
}

bool Evidence::tests(Eigen::Index first, Eigen::Index count) const
{
  std::vector<Eigen::Index> others;
  for (const Eigen::Index k : wrong_)
    if (all_.A.row(k).segment(first, count).isZero(0)) others.push_back(k);
  return (equations_in(wrong_) - rank_of(wrong_)) - (equations_in(others) - rank_of(others)) >= 2;
}
// [evidence]

}  // namespace articulate::oracle
