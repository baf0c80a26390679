#include <reference/steps.hpp>
#include <articulate/aba/forward_dynamics.hpp>
#include <reference/library_state.hpp>

namespace articulate::reference {
namespace {

using Number = RandomlyRounded;
using Matrix = MatrixX<Number>;

/// How all accelerations answer a unit force at each degree.
Matrix responses(ForwardDynamics<Number>& dynamics, Eigen::Index n)
{
  Matrix M_inverse(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    VectorX<Number> tau = VectorX<Number>::Unit(n, k), qdd = VectorX<Number>::Zero(n);
    dynamics.respond(tau, qdd);
    M_inverse.col(k) = qdd;
  }
  return M_inverse;
}

/// By the number of the acceleration a block of rows.
Matrix answered(const Matrix& M_inverse, const Hessians<Number>& gain)
{
  const Eigen::Index n = M_inverse.rows();
  Matrix rows = Matrix::Zero(n * n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index l = 0; l < n; ++l) rows.middleRows(n * i, n) -= M_inverse(i, l) * gain[static_cast<int>(l)];
  return rows;
}

}  // namespace

std::map<std::string, MatrixX<RandomlyRounded>> rounded_in(Step step, const Problem& problem)
{
  const auto in = [step](Step here, const auto& f) {
    Number::rounded = step == here ? Rounded::all : Rounded::none;
    f();
    Number::rounded = Rounded::none;
  };
  Number::rounded = Rounded::none;
  const LibraryState<Number> x(problem.in);
  ForwardDynamics<Number> dynamics(x.model);
  const VectorX<Number> motion = dynamics(x.q, x.qd, x.tau, x.Fext);
  Matrix M_inverse;
  in(Step::inverse, [&] {
    dynamics(x.q, x.qd, x.tau, x.Fext);
    M_inverse = responses(dynamics, x.qd.size());
  });

  InverseDynamics<Number> inverse_dynamics(x.model);
  InverseDynamicsJacobians<Number> first(x.model);
  in(Step::forces, [&] {
    inverse_dynamics(x.q, x.qd, motion, x.Fext);
    first(inverse_dynamics, x.qd, motion);
  });
  std::map<std::string, Matrix> answers;
  Matrix by_q, by_qd;
  in(Step::product, [&] {
    answers["forward_dynamics_by_q"] = by_q = -(M_inverse * first.dtau_dq);
    answers["forward_dynamics_by_qd"] = by_qd = -(M_inverse * first.dtau_dqd);
  });
  if (problem.is_tiny()) {
    InverseDynamicsSecondDerivatives<Number> second(x.model);
    in(Step::forces, [&] { second(inverse_dynamics, x.qd, motion); });
    in(Step::product, [&] {
      Hessians<Number> q_q = second.dq_dq, q_qd = second.dq_dqd, q_tau = second.dq_dqdd;
      for (int l = 0; l < static_cast<int>(x.qd.size()); ++l) {
        const Matrix& dM = second.dq_dqdd[l];
        const Matrix once = dM * by_q;
        q_q[l] += once + once.transpose();
        q_qd[l] += dM * by_qd;
        q_tau[l] = dM * M_inverse;
      }
      answers["forward_dynamics_by_q_q"] = answered(M_inverse, q_q);
      answers["forward_dynamics_by_q_qd"] = answered(M_inverse, q_qd);
      answers["forward_dynamics_by_qd_qd"] = answered(M_inverse, second.dqd_dqd);
      answers["inverse_mass_matrix_by_q"] = answered(M_inverse, q_tau);
    });
  }
  Number::rounded = Rounded::all;
  return answers;
}

}  // namespace articulate::reference
