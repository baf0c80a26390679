/** \file
 *  \brief The side of the protocol that a dynamics library needs: messages in, answers out, see \ref protocol.
 *
 *  An engine answers in the conventions of the protocol, so that every digit can be compared, or in its own (`--raw`): then
 *  states are handed over and numbers are written as they come. What it has no function for it does not answer.
 */
#pragma once
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
#include <articulate/constrained/loop.hpp>  // plain numbers, and C++17

namespace articulate::peers {

/// \brief A model as it is sent.
struct Described {
  std::string name, text;
  bool floating_base;
  Eigen::Vector3d gravity;          ///< m/s^2, in the world
  std::vector<std::string> joints;  ///< those that move, in the order of q
  std::vector<std::string> links;   ///< the order of rows; the last one is the tip
  std::vector<Loop> loops;          ///< what was cut to leave the tree; none unless Engine::closes_loops()
};

/// \brief A state as it is sent; with a floating base qd, qdd and tau begin with its six: angular, then linear, in its axes.
struct Asked {
  Eigen::VectorXd q, qd, qdd, tau;  ///< qdd and tau are empty where they are not given
  Eigen::Vector3d gravity;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of a floating base
  Eigen::Quaterniond quaternion = Eigen::Quaterniond::Identity();
  /// By link: moment about its origin, force; in its axes.
  std::map<std::string, Eigen::Matrix<double, 6, 1>> wrenches{};
};

/// \brief What there is no answer to, and why.
struct Cannot : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// \brief By the name of the quantity, a function that answers it. One that ends in a colon is given the name of a link.
using Functions = std::map<std::string, std::function<Eigen::MatrixXd(const std::string& link)>>;

/** \brief A dynamics library behind the protocol.
 *
 *  Rates are converted by one matrix: theirs are X times ours, and their accelerations are X times ours and `turning`. An
 *  adapter makes both of a state; with `--raw` they stay the identity and zero.
 */
class Engine {
public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  virtual std::string format() const { return "urdf"; }
  /// \brief Whether it is to be told of loops.
  virtual bool closes_loops() const { return false; }
  /// \brief Takes a model. \throws Cannot
  virtual void load(const Described& model) = 0;
  /// \brief Takes a state; what it answers from then on is about that. \throws Cannot
  virtual void set(const Asked& state) = 0;

  const Functions& functions() const { return functions_; }
  bool raw = false;  ///< whether it answers in its own conventions

protected:
  Eigen::VectorXd rates(const Eigen::VectorXd& qd) const { return X_ * qd; }
  /// \throws Cannot if the state has none
  Eigen::VectorXd accelerations() const;
  /// \brief The forces of a state as theirs. \throws Cannot if it has none
  Eigen::VectorXd forces() const;
  /// \brief Forces, or a mass matrix's product with rates, as ours.
  Eigen::MatrixXd our_forces(const Eigen::MatrixXd& theirs) const { return X_.transpose() * theirs; }
  Eigen::VectorXd our_accelerations(const Eigen::VectorXd& theirs) const { return X_.inverse() * (theirs - turning_); }
  Eigen::MatrixXd our_mass_matrix(const Eigen::MatrixXd& theirs) const { return X_.transpose() * theirs * X_; }
  Eigen::MatrixXd our_inverse_mass_matrix(const Eigen::MatrixXd& theirs) const;
  /// \brief What is multiplied by rates, with the angular rows first.
  Eigen::MatrixXd our_jacobian(const Eigen::MatrixXd& angular, const Eigen::MatrixXd& linear) const;
  /// \brief A row of each link.
  Eigen::MatrixXd of_links(int columns, const std::function<Eigen::VectorXd(const std::string& link)>& row) const;
  void unit_basis(Eigen::Index rates);

  Functions functions_;
  Described model_;
  Asked state_;
  Eigen::MatrixXd X_;
  Eigen::VectorXd turning_;
};

/// \brief Entries of a rotation as they are compared: row by row.
Eigen::VectorXd rows_of(const Eigen::Matrix3d& R);
/// \brief Two threes, one after the other.
Eigen::VectorXd six(const Eigen::Vector3d& first, const Eigen::Vector3d& second);

/// \brief Answers on standard output what standard input asks, until it is told to stop; `--raw` is its only option.
int converse(Engine& engine, int count, char** words);

}  // namespace articulate::peers
