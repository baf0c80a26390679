/** \file
 *  \brief Many states of one model: inverse, forward and hybrid dynamics, their first and second derivatives and those in
 *  time, mass matrices and energies, several at once.
 *
 *  - Chapter: \ref rnea
 */
#pragma once
#include <future>
#include <articulate/batch/packed.hpp>

namespace articulate {

/// \brief Some states of a batch were refused; the others are solved.
struct BatchError : StateError {
  struct Refused {
    std::ptrdiff_t state;
    std::string sentence;  ///< as the algorithm for one state says it
  };
  std::vector<Refused> refused;  ///< in order

  explicit BatchError(std::vector<Refused> states) : StateError(text(states)), refused(std::move(states)) {}

private:
  static std::string text(const std::vector<Refused>& states)
  {
    std::string first = "state " + std::to_string(states[0].state) + ": " + states[0].sentence;
    if (states.size() > 1) first += " So for " + std::to_string(states.size() - 1) + " more of the states.";
    return first;
  }
};

/** \brief An algorithm for each problem, on arrays of states: column k of every matrix belongs to state k.
 *
 *  The states of a pack go through the same sweeps as one state does, side by side in the lanes of the processor; with
 *  several threads, ranges of states are solved at the same time. Results are those of one state but for the rounding
 *  of fused products and of sine and cosine (Pack). A state that is refused is solved alone, named in a BatchError when
 *  all others are done, and has NaN for its numbers.
 *
 *  External wrenches are 6 (bodies + 1) x N, in body frames (N m, N), moment first: six numbers for the world, which are
 *  read nowhere, and for each body; empty for none. Armature is not taken. Calls of one object must not overlap.
 */
class Batch {
public:
  using States = Eigen::Ref<const MatrixX<double>>;
  using Results = Eigen::Ref<MatrixX<double>>;

  /** \param threads  how many share the states of a call, at least 1
   *  \param lanes    those of this translation unit, or `widest_lanes()` of the library articulate-batch
   *  \throws Error for less than one thread; ModelError for a model that `with` has changed, since packs are made from
   *          its description
   */
  explicit Batch(const Model<double>& model, int threads = 1, const BatchLanes& lanes = lanes_of_this_unit())
      : model_(model), threads_(threads), lanes_(lanes)
  {
    if (threads < 1)
      throw Error("A batch with " + std::to_string(threads) + " threads is asked for; one is the least.");
    if (!model.as_described())
      throw ModelError(model.mechanism().source +
                       ": a batch takes bodies as they are described, and some were changed by Model::with; change the "
                       "description instead.");
  }

  const Model<double>& model() const { return model_; }
  int lanes() const { return lanes_.count; }  ///< how many states one pack holds
  int threads() const { return threads_; }

  /** \brief Joint forces for given motions; see InverseDynamics.
   *  \param q    nq x N coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd   nv x N joint rates   \param qdd  nv x N joint accelerations
   *  \param tau  nv x N joint forces (N m, N)
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void inverse_dynamics(const States& q, const States& qd, const States& qdd, Results tau,
                        const States& Fext = MatrixX<double>())
  {
    solve({BatchProblem::inverse}, {{"q", q}, {"qd", qd}, {"qdd", qdd}}, {{"tau", tau}}, Fext);
  }

  /** \brief Joint accelerations under given forces; see ForwardDynamics.
   *  \param tau  nv x N joint forces   \param qdd  nv x N joint accelerations; the rest as for inverse dynamics
   *  \throws ModelError when a joint could move without moving any mass
   *  \throws SizeError
   *  \throws BatchError naming the states in which the articulated inertia of a joint vanishes
   */
  void forward_dynamics(const States& q, const States& qd, const States& tau, Results qdd,
                        const States& Fext = MatrixX<double>())
  {
    solve({BatchProblem::hybrid, nothing_prescribed()}, {{"q", q}, {"qd", qd}, {"tau", tau}, {"tau", tau}},
          {{"qdd", qdd}}, Fext);  // the third is read nowhere
  }

  /** \brief What completes given motions and forces; see HybridDynamics.
   *  \param prescribed  nv flags, the same for all states: is the acceleration of this degree prescribed, or its force?
   *  \param qdd, tau    nv x N, of which what is given is read
   *  \param qdd_out, tau_out  nv x N, all of both; they may be qdd and tau themselves
   *  \throws ModelError when a joint that is not prescribed could move without moving any mass
   *  \throws SizeError
   *  \throws BatchError as for forward dynamics
   */
  void hybrid_dynamics(const std::vector<bool>& prescribed, const States& q, const States& qd, const States& qdd,
                       const States& tau, Results qdd_out, Results tau_out, const States& Fext = MatrixX<double>())
  {
    detail::require_size("prescribed", prescribed, model_.nv());
    solve({BatchProblem::hybrid, prescribed}, {{"q", q}, {"qd", qd}, {"qdd", qdd}, {"tau", tau}},
          {{"qdd_out", qdd_out}, {"tau_out", tau_out}}, Fext);
  }

  /** \brief First derivatives of inverse dynamics; see InverseDynamicsJacobians.
   *  \param q, qd, qdd  as for inverse dynamics
   *  \param dtau_dq, dtau_dqd, dtau_dqdd  nv^2 x N: a column is a matrix, column after column
   *  \throws SizeError
   */
  void inverse_dynamics_jacobians(const States& q, const States& qd, const States& qdd, Results dtau_dq,
                                  Results dtau_dqd, Results dtau_dqdd, const States& Fext = MatrixX<double>())
  {
    solve({BatchProblem::inverse_jacobians}, {{"q", q}, {"qd", qd}, {"qdd", qdd}},
          {{"dtau_dq", dtau_dq}, {"dtau_dqd", dtau_dqd}, {"dtau_dqdd", dtau_dqdd}}, Fext);
  }

  /** \brief First derivatives of forward dynamics, the last of which is \f$M^{-1}\f$; see HybridDynamicsJacobians.
   *  \param q, qd, tau  as for forward dynamics
   *  \param dqdd_dq, dqdd_dqd, dqdd_dtau  nv^2 x N: a column is a matrix, column after column
   *  \throws ModelError, SizeError, BatchError as forward dynamics does
   */
  void forward_dynamics_jacobians(const States& q, const States& qd, const States& tau, Results dqdd_dq,
                                  Results dqdd_dqd, Results dqdd_dtau, const States& Fext = MatrixX<double>())
  {
    solve({BatchProblem::hybrid_jacobians, nothing_prescribed()}, {{"q", q}, {"qd", qd}, {"tau", tau}, {"tau", tau}},
          {{"dqdd_dq", dqdd_dq}, {"dqdd_dqd", dqdd_dqd}, {"dqdd_dtau", dqdd_dtau}}, Fext);
  }

  /** \brief Second derivatives of inverse dynamics; see InverseDynamicsSecondDerivatives.
   *  \param q, qd, qdd  as for inverse dynamics
   *  \param dq_dq, dq_dqd, dqd_dqd, dq_dqdd  nv^3 x N: a column is a matrix for each joint force, one after
   *                  the other, each of them column after column
   *  \throws SizeError
   */
  void inverse_dynamics_hessians(const States& q, const States& qd, const States& qdd, Results dq_dq, Results dq_dqd,
                                 Results dqd_dqd, Results dq_dqdd, const States& Fext = MatrixX<double>())
  {
    solve({BatchProblem::inverse_hessians}, {{"q", q}, {"qd", qd}, {"qdd", qdd}},
          {{"dq_dq", dq_dq}, {"dq_dqd", dq_dqd}, {"dqd_dqd", dqd_dqd}, {"dq_dqdd", dq_dqdd}}, Fext);
  }

  /** \brief Second derivatives of forward dynamics; see HybridDynamicsSecondDerivatives.
   *  \param q, qd, tau  as for forward dynamics
   *  \param dq_dq, dq_dqd, dqd_dqd, dq_dtau  nv^3 x N: a column is a matrix for each acceleration, one after
   *                  the other, each of them column after column
   *  \throws ModelError, SizeError, BatchError as forward dynamics does
   */
  void forward_dynamics_hessians(const States& q, const States& qd, const States& tau, Results dq_dq, Results dq_dqd,
                                 Results dqd_dqd, Results dq_dtau, const States& Fext = MatrixX<double>())
  {
    solve({BatchProblem::hybrid_hessians, nothing_prescribed()}, {{"q", q}, {"qd", qd}, {"tau", tau}, {"tau", tau}},
          {{"dq_dq", dq_dq}, {"dq_dqd", dq_dqd}, {"dqd_dqd", dqd_dqd}, {"dq_dtau", dq_dtau}}, Fext);
  }

  /** \brief Motion and forces with their derivatives in time up to the given order; see HigherOrderDynamics.
   *  \param prescribed  nv flags, the same for all states: is the motion of this degree prescribed, or its force?
   *  \param q, qd       coordinates and rates
   *  \param qdd, tau    nv (order + 1) x N, of which what is given is read: one derivative after the other
   *  \param qdd_out, tau_out  nv (order + 1) x N, all of both; they may be qdd and tau themselves
   *  \param Fext        6 (bodies + 1) (order + 1) x N: the wrenches, and their derivatives one after the other
   *  \throws StateError for a negative order
   *  \throws ModelError, SizeError, BatchError as hybrid dynamics does
   */
  void higher_order_dynamics(int order, const std::vector<bool>& prescribed, const States& q, const States& qd,
                             const States& qdd, const States& tau, Results qdd_out, Results tau_out,
                             const States& Fext = MatrixX<double>())
  {
    solve({BatchProblem::higher_order, prescribed, order}, {{"q", q}, {"qd", qd}, {"qdd", qdd}, {"tau", tau}},
          {{"qdd_out", qdd_out}, {"tau_out", tau_out}}, Fext);
  }

  /** \brief Mass matrices; see CompositeBodies.
   *  \param q  nq x N coordinates   \param M  nv^2 x N: a column is a matrix, column after column
   *  \throws SizeError
   */
  void mass_matrix(const States& q, Results M) { solve({BatchProblem::mass}, {{"q", q}}, {{"M", M}}); }

  /** \brief Kinetic and potential energies in the model's own gravity; see ForwardKinematics.
   *  \param q  nq x N coordinates   \param qd  nv x N joint rates
   *  \param energies  2 x N (J): kinetic, potential
   *  \throws SizeError
   */
  void energies(const States& q, const States& qd, Results energies)
  {
    solve({BatchProblem::energies}, {{"q", q}, {"qd", qd}}, {{"energies", energies}});
  }

private:
  Indexed<bool> nothing_prescribed() const { return Indexed<bool>(model_.nv(), false); }

  struct Given {
    const char* name;
    const States& x;
  };
  struct Wanted {
    const char* name;
    Results& x;
  };
  /// The algorithms of one thread: on packs, and on single states, which only a refusal asks for.
  struct Worker {
    std::unique_ptr<PackedAlgorithm> packed, single;
    std::vector<BatchError::Refused> refused;
  };

  void solve(const BatchQuestion& asked, std::initializer_list<Given> in, std::initializer_list<Wanted> out,
             const States& Fext = MatrixX<double>())
  {
    Indexed<Worker>& workers = workers_for(asked);
    const std::ptrdiff_t states = in.begin()->x.cols();
    BatchColumns columns;
    if (Fext.size() != 0) {
      require("Fext", Fext, wrench_numbers(asked, model_), states);
      columns.Fext = {Fext.data(), Fext.outerStride()};
    }
    std::size_t k = 0;
    for (const auto& [name, x] : in) {
      require(name, x, numbers_in(asked, model_, k), states);
      columns.in[k++] = {x.data(), x.outerStride()};
    }
    k = 0;
    for (const auto& [name, x] : out) {
      require(name, x, numbers_out(asked, model_), states);
      columns.out[k++] = {x.data(), x.outerStride()};
    }

    // Ranges of whole packs, the last of them for this thread.
    const std::ptrdiff_t packs = (states + lanes_.count - 1) / lanes_.count;
    const auto begin = [&](std::ptrdiff_t t) { return std::min(states, packs * t / threads_ * lanes_.count); };
    const auto run = [&](int t) { run_range(asked, workers[t], columns, begin(t), begin(t + 1)); };
    {
      std::vector<std::future<void>> others;
      for (int t = 0; t + 1 < threads_; ++t)
        if (begin(t) < begin(t + 1)) others.push_back(std::async(std::launch::async, run, t));
      run(threads_ - 1);
      for (std::future<void>& other : others) other.get();
    }

    std::vector<BatchError::Refused> refused;
    for (Worker& worker : workers) {
      refused.insert(refused.end(), worker.refused.begin(), worker.refused.end());
      worker.refused.clear();
    }
    if (!refused.empty()) throw BatchError(std::move(refused));
  }

  // [batch-range]
  /// Pack after pack; the states of a pack that is refused one by one.
  void run_range(const BatchQuestion& asked, Worker& worker, const BatchColumns& columns, std::ptrdiff_t first,
                 std::ptrdiff_t end) const
  {
    while ((first = worker.packed->solve(columns, first, end)) < end) {
      if (!worker.single) worker.single = lanes_.make_single(asked, model_);
      const std::ptrdiff_t next = std::min(end, first + lanes_.count);
      for (; first < next; ++first) {
        if (worker.single->solve(columns, first, first + 1) > first) continue;
        worker.refused.push_back({first, worker.single->refusal});
        for (const auto& [start, step] : columns.out)
          if (start) std::fill_n(start + first * step, numbers_out(asked, model_), std::nan(""));
      }
    }
  }
  // [batch-range]

  Indexed<Worker>& workers_for(const BatchQuestion& asked)
  {
    Workers& made = workers_[static_cast<std::size_t>(asked.problem)];
    if (made.workers.empty() || made.asked != asked) {
      Indexed<Worker> workers(threads_);
      for (Worker& worker : workers) worker.packed = lanes_.make(asked, model_);
      made = {std::move(workers), asked};
    }
    return made.workers;
  }

  static void require(const char* name, const States& x, int rows, std::ptrdiff_t states)
  {
    if (x.rows() != rows) throw SizeError(std::string(name) + " (rows)", x.rows(), rows);
    if (x.cols() != states) throw SizeError(std::string(name) + " (states)", x.cols(), states);
  }

  struct Workers {
    Indexed<Worker> workers;
    BatchQuestion asked;
  };
  Model<double> model_;
  int threads_;
  BatchLanes lanes_;
  std::array<Workers, 9> workers_;
};

}  // namespace articulate
