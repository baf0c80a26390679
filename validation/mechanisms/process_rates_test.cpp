/** \file
 *  \brief The hydraulic manipulator in time: its rates against a complex step, its power against the rate of energy.
 *
 *  - Paper: Ma et al. 2021, section 7. Chapter: \ref mechanisms
 */
#include <boost/test/unit_test.hpp>
#include <complex>
#include <iostream>
#include <articulate/articulate.hpp>
#include <articulate/constrained/constrained_inverse.hpp>
#include <ledger/scalars.hpp>
#include <mechanisms/driven.hpp>

using namespace articulate;
using namespace articulate::validation;

BOOST_AUTO_TEST_SUITE(mechanisms)

BOOST_AUTO_TEST_CASE(rates_and_accelerations_are_those_of_a_complex_step)
{
  using Complex = std::complex<double>;
  const double h = 1e-30;
  Driven<double> machine;
  Driven<Complex> stepped;
  double rate = 0, acceleration = 0;
  for (const auto& [t, phase] : instants(0.25)) {
    machine.at(t, phase);
    stepped.at(Complex(t, h), phase);
    const VectorX<double> qd = machine.motion.qd, qdd = machine.motion.qdd;
    rate = std::max(rate, largest(stepped.q.imag() / h - qd) / std::max(1., largest(qd)));
    acceleration = std::max(acceleration, largest(stepped.motion.qd.imag() / h - qdd) / std::max(1., largest(qdd)));
  }
  std::cout << "  a complex step in time differs by " << rate << " in rates, " << acceleration << " in accelerations\n";
  BOOST_TEST(rate <= 1e-11);
  BOOST_TEST(acceleration <= 1e-11);
}

BOOST_AUTO_TEST_CASE(what_the_motors_do_is_what_energy_gains)
{
  Driven<double> machine(working_process().load);
  const Model<Series<double>> series_model(machine.model);
  const HydraulicManipulator<Series<double>> closed(series_model);
  const WorkingProcess<Series<double>> process(working_process());
  ForwardKinematics<Series<double>> bodies(series_model);
  InverseDynamics<double> inverse(machine.model);
  const std::vector<bool> motors = machine.flags(machine.described.motors);
  double gap = 0;
  for (const auto& [t, phase] : instants(0.5)) {
    machine.at(t, phase);
    const VectorX<double> tau = inverse(machine.q, machine.motion.qd, machine.motion.qdd);
    const VectorX<double> forces = constrained_inverse_dynamics<double>(tau, VectorX<double>::Zero(machine.model.nv()),
                                                                        machine.motion.loops().A, motors)
                                       .tau;
    double power = 0, size = 0;
    for (int k = 0; k < machine.model.nv(); ++k) {
      power += forces(k) * machine.motion.qd(k);
      size += std::abs(forces(k) * machine.motion.qd(k));
    }
    // Energy from poses alone: closed forms in series arithmetic, velocities as derivatives of positions.
    const Series<double> time = time_series<double>();
    const VectorX<Series<double>> q = closed.close(process.in_phase(phase, Series<double>(t) + time).q);
    VectorX<Series<double>> qd(q.size());
    for (int k = 0; k < q.size(); ++k) qd(k) = derivative(q(k), 1) + derivative(q(k), 2) * time;
    bodies(q, qd);
    Series<double> energy(0);
    for (int i = 1; i <= series_model.bodies(); ++i) {
      const Inertia<Series<double>>& I = series_model.body(i).I;
      energy += Series<double>(0.5) * articulate::pairing(I * bodies.V[i], bodies.V[i]);
      const Vector3<Series<double>> moment = I.mass * bodies.pose[i].p + bodies.pose[i].R * I.first_moment;
      energy += Series<double>(9.81) * moment[2];
    }
    gap = std::max(gap, std::abs(power - derivative(energy, 1)) / std::max(1., size));
  }
  std::cout << "  power and the rate of energy differ by " << gap << " of the largest power\n";
  BOOST_TEST(gap <= 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
