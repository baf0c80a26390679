#include <ledger/sides.hpp>
#include <algorithm>

namespace articulate::validation {

template <typename S>
void Sides<S>::append(const Sides& other)
{
  const std::size_t before = groups_.size();
  for (const Group& group : other.groups_) {
    groups_.push_back(group);
    if (group.clauses.empty()) groups_.back().clauses = clauses_;
  }
  for (const Rival& rival : other.rivals_) {
    rivals_.push_back(rival);
    rivals_.back().after += before;
    if (rival.clauses.empty()) rivals_.back().clauses = clauses_;
  }
}

template <typename S>
std::vector<std::string> Sides<S>::clauses_of(const Group& group, const std::vector<std::string>& keys) const
{
  if (!group.clauses.empty()) return group.clauses;
  std::vector<std::string> rest;
  for (const std::string& key : keys)
    if (std::none_of(groups_.begin(), groups_.end(), [&](const Group& other) {
          return std::find(other.clauses.begin(), other.clauses.end(), key) != other.clauses.end();
        }))
      rest.push_back(key);
  return rest;
}

template <typename S>
void Sides<S>::add(const S& left, const S& right, const S& scale)
{
  add_unless_empty({Group{{left}, {right}, magnitude(scale)}});
}

template <typename S>
void Sides<S>::add_printed(const S& ours, double printed, double within)
{
  add_unless_empty({Group{{ours}, {S(printed)}, S(0), {}, within}});
}

template <typename S>
void Sides<S>::add_counts(long left, long right)
{
  add_unless_empty({Group{{S(left)}, {S(right)}, S(0), {}, 0, true}});
}

template <typename S>
void Sides<S>::add_by_unit(const Model<S>& model, const VectorX<S>& left, const VectorX<S>& right,
                           const VectorX<S>& beside)
{
  Group angular, linear;
  for (int k = 0; k < model.nv(); ++k) {
    Group& group = model.rate_is_angular(k) ? angular : linear;
    group.left.push_back(left(k)), group.right.push_back(right(k));
    if (beside.size() && magnitude(beside(k)) > group.scale) group.scale = magnitude(beside(k));
  }
  add_unless_empty({angular, linear});
}

template <typename S>
void Sides<S>::add_by_unit(const Model<S>& model, const MatrixX<S>& left, const MatrixX<S>& right)
{
  Group blocks[2][2];
  for (int j = 0; j < model.nv(); ++j)
    for (int k = 0; k < model.nv(); ++k) {
      Group& group = blocks[model.rate_is_angular(j)][model.rate_is_angular(k)];
      group.left.push_back(left(j, k)), group.right.push_back(right(j, k));
      if (magnitude(left(j, k)) > group.scale) group.scale = magnitude(left(j, k));
    }
  using std::sqrt;
  blocks[0][1].scale = blocks[1][0].scale = sqrt(S(blocks[0][0].scale * blocks[1][1].scale));
  add_unless_empty({blocks[0][0], blocks[0][1], blocks[1][0], blocks[1][1]});
}

template <typename S>
void Sides<S>::add(const Vector3<S>& left, const Vector3<S>& right, const S& scale)
{
  add(left.eigen(), right.eigen(), scale);
}

template <typename S>
void Sides<S>::add(const Matrix3<S>& left, const Matrix3<S>& right)
{
  add(left.eigen(), right.eigen());
}

template <typename S>
void Sides<S>::add(const SE3<S>& left, const SE3<S>& right)
{
  add(left.R.matrix, right.R.matrix);
  add(left.p, right.p);
}

template <typename S>
void Sides<S>::add(const Twist<S>& left, const Twist<S>& right)
{
  add(std::vector{left}, std::vector{right});
}

template <typename S>
void Sides<S>::add(const Wrench<S>& left, const Wrench<S>& right)
{
  add(std::vector{left}, std::vector{right});
}

template <typename S>
void Sides<S>::add(const Inertia<S>& left, const Inertia<S>& right)
{
  add(left.mass, right.mass);
  add(left.first_moment, right.first_moment);
  add(left.second_moment.matrix(), right.second_moment.matrix());
}

template <typename S>
void Sides<S>::add(const std::vector<Twist<S>>& left, const std::vector<Twist<S>>& right, const S& lever)
{
  Group angular, linear;
  for (std::size_t i = 0; i < left.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      angular.left.push_back(left[i].w[k]), angular.right.push_back(right[i].w[k]);
      linear.left.push_back(left[i].v[k]), linear.right.push_back(right[i].v[k]);
      linear.scale = std::max(linear.scale, S(lever * magnitude(left[i].w[k])));
    }
  add_unless_empty({angular, linear});
}

template <typename S>
void Sides<S>::add(const std::vector<Wrench<S>>& left, const std::vector<Wrench<S>>& right,
                   const std::vector<Wrench<S>>& beside)
{
  Group moments, forces;
  for (std::size_t i = 0; i < left.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      moments.left.push_back(left[i].m[k]), moments.right.push_back(right[i].m[k]);
      forces.left.push_back(left[i].f[k]), forces.right.push_back(right[i].f[k]);
    }
  for (const Wrench<S>& F : beside)
    for (int k = 0; k < 3; ++k) {
      if (magnitude(F.m[k]) > moments.scale) moments.scale = magnitude(F.m[k]);
      if (magnitude(F.f[k]) > forces.scale) forces.scale = magnitude(F.f[k]);
    }
  add_unless_empty({moments, forces});
}

template <typename S>
void Sides<S>::add_unless_empty(const std::vector<Group>& groups)
{
  for (const Group& group : groups)
    if (!group.left.empty()) {
      groups_.push_back(group);
      groups_.back().clauses = clauses_;
    }
}

template <typename S>
void Sides<S>::add_entries(Entries<S> left, Entries<S> right, const S& scale)
{
  Group group{{}, {}, magnitude(scale)};
  for (Eigen::Index j = 0; j < left.cols; ++j)
    for (Eigen::Index i = 0; i < left.rows; ++i) group.left.push_back(left(i, j)), group.right.push_back(right(i, j));
  add_unless_empty({group});
}

template class Sides<ARTICULATE_PROOF_SCALAR>;

}  // namespace articulate::validation
