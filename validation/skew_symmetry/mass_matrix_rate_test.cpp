/** \file
 *  \brief The mass matrix along a motion by a complex step, against every family of Coriolis matrices.
 */
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <complex>
#include <random>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/model/displacement.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <models/models.hpp>

using namespace articulate;
using namespace articulate::validation;
namespace data = boost::unit_test::data;

namespace {

using Complex = std::complex<double>;

/// \f$\dot M\f$: the imaginary part at a state that is an imaginary step further along the motion.
MatrixX<double> rate_by_complex_step(const Model<double>& model, const VectorX<double>& q, const VectorX<double>& qd)
{
  const double h = 1e-100;
  const Model<Complex> complex(model);
  CompositeBodies<Complex> bodies(complex);
  const VectorX<Complex> step = Complex(0, h) * qd.cast<Complex>();
  return bodies(displaced<Complex>(complex, q.cast<Complex>(), step)).imag() / h;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mass_matrix_rate)

BOOST_DATA_TEST_CASE(it_is_C_and_its_transpose_on,
                     data::make({"park_2r", "screw_arm", "puma560", "mixed_tree", "every_joint", "humanoid"}), name)
{
  const Model<double> model(built_in_model(name), {.floating_base = std::string(name) == "humanoid"});
  const int n = model.nv();
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto draw = [&] { return VectorX<double>(VectorX<double>::NullaryExpr(n, [&] { return number(engine); })); };
  for (int state = 0; state < 5; ++state) {
    const VectorX<double> q = displaced<double>(model, model.zero_coordinates(), draw()), qd = 2 * draw();
    const MatrixX<double> rate = rate_by_complex_step(model, q, qd);
    const auto missed = [&](CoriolisFamily family) {
      CoriolisMatrix<double> C(model, family);
      const MatrixX<double>& at = C(q, qd);
      return (rate - at - at.transpose()).cwiseAbs().maxCoeff() / at.cwiseAbs().maxCoeff();
    };
    for (const CoriolisFamily family :
         {CoriolisFamily::ploen, CoriolisFamily::bracket, CoriolisFamily::momentum, CoriolisFamily::christoffel})
      BOOST_TEST(missed(family) < 1e-12);
    BOOST_TEST(missed(CoriolisFamily::newton_euler) > 1e-3);  // the recursion as it is
  }
}

BOOST_AUTO_TEST_SUITE_END()
