/** \file
 *  \brief What an identity is: a name, the equations that it proves, the symbols that it tests, and two sides.
 */
#pragma once
#include <functional>
#include <ledger/linear_systems.hpp>
#include <ledger/specimen.hpp>

namespace articulate::validation {

/// \brief \f$x^{\mathsf T}y\f$ without conjugation.
template <typename S>
S inner_product(const VectorX<S>& x, const VectorX<S>& y)
{
  S sum(0);
  for (Eigen::Index k = 0; k < x.size(); ++k) sum += x(k) * y(k);
  return sum;
}

/** \brief Two sides that ought to be equal, in groups of numbers of one unit.
 *
 *  The residual of a group is the largest difference over the largest number in it (or over a given scale, where both
 *  sides are sums of larger terms); the residual of the identity is its worst group's.
 */
template <typename S>
class Sides {
public:
  struct Group {
    std::vector<S> left, right;
    S scale{0};
  };

  const std::vector<Group>& groups() const { return groups_; }

  /// \brief All comparisons of another.
  void append(const Sides& other) { groups_.insert(groups_.end(), other.groups_.begin(), other.groups_.end()); }

  /// \brief Two numbers, or two sums of terms of size up to scale.
  void add(const S& left, const S& right, const S& scale = S(0))
  {
    groups_.push_back({{left}, {right}, magnitude(scale)});
  }
  template <typename A, typename B>
  void add(const Eigen::MatrixBase<A>& left, const Eigen::MatrixBase<B>& right, const S& scale = S(0))
  {
    Group group{{}, {}, magnitude(scale)};
    for (Eigen::Index j = 0; j < left.cols(); ++j)
      for (Eigen::Index i = 0; i < left.rows(); ++i)
        group.left.push_back(left(i, j)), group.right.push_back(right(i, j));
    add_unless_empty({group});
  }
  /** \brief Numbers by joint rate: those about angles are one group, those about lengths another.
   *  \param beside  numbers by joint rate from whose terms both sides are made, if they may all cancel: derivatives that
   *                 vanish are rounding beside what is differentiated
   */
  void add_by_unit(const Model<S>& model, const VectorX<S>& left, const VectorX<S>& right,
                   const VectorX<S>& beside = {})
  {
    Group angular, linear;
    for (int k = 0; k < model.nv(); ++k) {
      Group& group = model.rate_is_angular(k) ? angular : linear;
      group.left.push_back(left(k)), group.right.push_back(right(k));
      if (beside.size() && magnitude(beside(k)) > group.scale) group.scale = magnitude(beside(k));
    }
    add_unless_empty({angular, linear});
  }
  /// \brief A mass matrix, in up to four groups; its mixed entries obey \f$m_{jk}^2 \le m_{jj}m_{kk}\f$ and may be zero.
  void add_by_unit(const Model<S>& model, const MatrixX<S>& left, const MatrixX<S>& right)
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
  void add(const Vector3<S>& left, const Vector3<S>& right, const S& scale = S(0))
  {
    add(left.eigen(), right.eigen(), scale);
  }
  void add(const Matrix3<S>& left, const Matrix3<S>& right) { add(left.eigen(), right.eigen()); }
  void add(const SE3<S>& left, const SE3<S>& right)
  {
    add(left.R.matrix, right.R.matrix);
    add(left.p, right.p);
  }
  void add(const Twist<S>& left, const Twist<S>& right) { add(std::vector{left}, std::vector{right}); }
  void add(const Wrench<S>& left, const Wrench<S>& right) { add(std::vector{left}, std::vector{right}); }
  void add(const Inertia<S>& left, const Inertia<S>& right)
  {
    add(left.mass, right.mass);
    add(left.first_moment, right.first_moment);
    add(left.second_moment.matrix(), right.second_moment.matrix());
  }
  /// \brief A quantity of every body: angular parts are one group, linear parts another.
  void add(const std::vector<Twist<S>>& left, const std::vector<Twist<S>>& right)
  {
    Group angular, linear;
    for (std::size_t i = 0; i < left.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        angular.left.push_back(left[i].w[k]), angular.right.push_back(right[i].w[k]);
        linear.left.push_back(left[i].v[k]), linear.right.push_back(right[i].v[k]);
      }
    add_unless_empty({angular, linear});
  }
  /// \param beside  wrenches of which both sides are sums
  void add(const std::vector<Wrench<S>>& left, const std::vector<Wrench<S>>& right,
           const std::vector<Wrench<S>>& beside = {})
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

private:
  void add_unless_empty(const std::vector<Group>& groups)
  {
    for (const Group& group : groups)
      if (!group.left.empty()) groups_.push_back(group);
  }

  std::vector<Group> groups_;
};

/// \brief Whether a model is small enough for the witnesses that are slow in 50 digits.
inline bool is_small(const Model<double>& model) { return model.bodies() > 0 && model.nv() <= 12; }

/** \brief What an identity compares: a function that adds its comparisons to the sides.
 *
 *  It returns nothing. A function that returned its sides instead would compile as a std::function, and prove nothing.
 */
template <typename S>
struct Comparison : std::function<void(const Specimen<S>&, Sides<S>&)> {
  Comparison() = default;
  template <typename Function>
  requires std::is_void_v < std::invoke_result_t < Function&, const Specimen<S>
  &, Sides<S>& >> Comparison(Function f) : std::function<void(const Specimen<S>&, Sides<S>&)>(std::move(f)) {}

  /// \brief All that it compares of a case.
  Sides<S> of(const Specimen<S>& x) const
  {
    Sides<S> sides;
    (*this)(x, sides);
    return sides;
  }
};

/// \brief An identity in one scalar.
template <typename S>
struct Identity {
  std::string name;               ///< a sentence that states a law
  std::vector<std::string> keys;  ///< rows of the ledger
  std::string symbols;            ///< what a mutation must break
  std::string method;
  Comparison<S> sides;
  std::function<bool(const Model<double>&)> applies = [](const Model<double>& m) { return m.bodies() > 0; };
};

/// \brief An erratum in one scalar: each printed line by itself must fail, the corrected form must hold.
template <typename S>
struct Erratum {
  std::string id;
  std::vector<std::string> keys;
  double margin;  ///< the printed form's residual on the built-in models is at least this
  std::vector<Comparison<S>> printed;
  Comparison<S> corrected;
};

/// \brief All identities and errata in one scalar, by chapter.
template <typename S>
struct Registry {
  struct Entry {
    std::string chapter;
    Identity<S> identity;
  };
  std::string chapter;  ///< of what is being added
  std::vector<Entry> identities;
  std::vector<Erratum<S>> errata;

  void identity(Identity<S> one) { identities.push_back({chapter, std::move(one)}); }
  void erratum(Erratum<S> one) { errata.push_back(std::move(one)); }

  static const Registry& instance();
};

}  // namespace articulate::validation
