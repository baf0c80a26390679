#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <articulate/model/error.hpp>
#include <peers/flat.hpp>

namespace articulate::validation {

namespace {

/// What its callbacks are told; an exception waits here until C's frames are left.
struct Call {
  const FlatProblem& problem;
  std::vector<double> y, rates;
  std::exception_ptr error;
};

template <typename Work>
int guarded(Call& call, const Work& work)
{
  try {
    work();
    return 0;
  } catch (const StateError&) {
    return 1;  // it may try a shorter step
  } catch (...) {
    call.error = std::current_exception();
    return -1;
  }
}

void read(N_Vector from, std::vector<double>& to) { std::copy_n(N_VGetArrayPointer(from), to.size(), to.begin()); }

int rates(double t, N_Vector y, N_Vector ydot, void* user)
{
  Call& call = *static_cast<Call*>(user);
  return guarded(call, [&] {
    read(y, call.y);
    call.problem.rates(call.y, call.rates, t);
    std::copy(call.rates.begin(), call.rates.end(), N_VGetArrayPointer(ydot));
  });
}

int project(double, N_Vector y, N_Vector correction, double, N_Vector, void* user)
{
  Call& call = *static_cast<Call*>(user);
  return guarded(call, [&] {
    read(y, call.y);
    call.problem.settle(call.y);
    for (std::size_t k = 0; k < call.y.size(); ++k)
      N_VGetArrayPointer(correction)[k] = call.y[k] - N_VGetArrayPointer(y)[k];
  });
}

}  // namespace

std::vector<double> by_cvode(const FlatProblem& problem, double tolerance)
{
  std::vector<double> end = problem.start;
  const auto n = static_cast<sunindextype>(end.size());
  Call call{problem, end, end, {}};
  SUNContext made = nullptr;
  SUNContext_Create(nullptr, &made);
  const std::unique_ptr<void, void (*)(void*)> context(made, [](void* one) {
    auto context = static_cast<SUNContext>(one);
    SUNContext_Free(&context);
  });
  const std::unique_ptr<_generic_N_Vector, void (*)(N_Vector)> y(N_VMake_Serial(n, end.data(), made), N_VDestroy);
  const std::unique_ptr<_generic_SUNMatrix, void (*)(SUNMatrix)> J(SUNDenseMatrix(n, n, made), SUNMatDestroy);
  const std::unique_ptr<_generic_SUNLinearSolver, int (*)(SUNLinearSolver)> solver(
      SUNLinSol_Dense(y.get(), J.get(), made), SUNLinSolFree);
  const std::unique_ptr<void, void (*)(void*)> cvode(CVodeCreate(CV_BDF, made), [](void* one) { CVodeFree(&one); });
  CVodeInit(cvode.get(), rates, 0, y.get());
  CVodeSStolerances(cvode.get(), tolerance, tolerance);
  CVodeSetUserData(cvode.get(), &call);
  CVodeSetLinearSolver(cvode.get(), solver.get(), J.get());
  CVodeSetMaxNumSteps(cvode.get(), 10000000);
  CVodeSetErrHandlerFn(
      cvode.get(), [](int, const char*, const char*, char*, void*) {}, nullptr);
  CVodeSetStopTime(cvode.get(), problem.duration);
  if (problem.settle) {
    CVodeSetProjFn(cvode.get(), project);
    CVodeSetProjErrEst(cvode.get(), false);
  }
  double t = 0;
  const int how = CVode(cvode.get(), problem.duration, y.get(), &t, CV_NORMAL);
  if (call.error) std::rethrow_exception(call.error);
  if (how < 0)
    throw StateError("CVODE gives up at t = " + detail::shown(t) + " s, for its reason " + std::to_string(how) + ".");
  return end;
}

}  // namespace articulate::validation
