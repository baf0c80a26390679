/** \file
 *  \brief The side of the protocol that a dynamics library needs: messages in, answers out, see \ref protocol.
 *
 *  An engine answers in the conventions of the protocol, so that every digit can be compared, or in its own (`--raw`), as its
 *  users print them. What it has no function for it does not answer.
 */
#pragma once
#include <Eigen/Dense>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace articulate::peers {

using nlohmann::json;

/// \brief A model as it is sent.
struct Described {
  std::string name, text;
  bool floating_base;
  Eigen::Vector3d gravity;          ///< m/s^2, in the world
  std::vector<std::string> joints;  ///< those that move, in the order of q
  std::vector<std::string> links;   ///< the order of rows; the last one is the tip
};

/// \brief A state as it is sent; with a floating base qd, qdd and tau begin with its six: angular, then linear, in its axes.
struct Asked {
  Eigen::VectorXd q, qd, qdd, tau;  ///< qdd and tau are empty where they are not given
  Eigen::Vector3d gravity;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of a floating base
  Eigen::Quaterniond quaternion = Eigen::Quaterniond::Identity();
  std::map<std::string, Eigen::Matrix<double, 6, 1>>
      wrenches;  ///< by link: moment about its origin, force; in its axes
};

/// \brief What there is no answer to, and why.
struct Cannot : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// \brief By the name of the quantity, a function that answers it. One that ends in a colon is given the name of a link.
using Functions = std::map<std::string, std::function<Eigen::MatrixXd(const std::string& link)>>;

/// \brief A dynamics library behind the protocol.
class Engine {
public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  virtual std::string format() const { return "urdf"; }
  /// \brief Its conventions in words, which the report prints.
  virtual json conventions() const { return json::object(); }
  /// \brief Takes a model. \throws Cannot
  virtual void load(const Described& model) = 0;
  /// \brief Takes a state; what it answers from then on is about that. \throws Cannot
  virtual void set(const Asked& state) = 0;
  /// \brief All that it can answer.
  virtual const Functions& functions() const = 0;
};

/// \brief Answers on standard output what standard input asks, until it is told to stop.
int converse(Engine& engine);

}  // namespace articulate::peers
