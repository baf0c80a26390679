/** \file
 *  \brief Does MuJoCo compute of our MJCF what we compute of the mechanism?
 *
 *  - Chapter: \ref model
 *  - MuJoCo accepts no moving body without mass, no point and no rod. So every link has some inertia more here.
 */
#include <boost/test/unit_test.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <mujoco/mujoco.h>
#include <cstdio>
#include <cstring>
#include <memory>
#include <articulate/constrained/loops.hpp>
#include <articulate/model/mjcf.hpp>
#include <model/same_numbers.hpp>
#include <models/models.hpp>

namespace {

using namespace articulate;
using namespace articulate::validation;

/// What MuJoCo can hold: no screws, no joint that floats within the tree, some inertia in every link.
Mechanism sayable(Mechanism mechanism)
{
  for (Joint& joint : mechanism.joints) {
    if (joint.type == JointType::helical) joint.type = JointType::revolute;
    if (joint.type == JointType::floating) joint.type = JointType::ball;
  }
  for (Link& link : mechanism.links) {
    link.mass += 0.01;
    for (const int k : {0, 3, 5}) link.inertia[static_cast<std::size_t>(k)] += 1e-3;
  }
  return mechanism;
}

class Machine {
public:
  explicit Machine(const std::string& text)
  {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "machine.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    char reason[1000] = "";
    model_.reset(mj_loadXML("machine.xml", files.get(), reason, sizeof reason));
    mj_deleteVFS(files.get());
    BOOST_TEST_REQUIRE(model_.get(), reason);
    model_->opt.disableflags |= mjDSBL_PASSIVE | mjDSBL_CONSTRAINT;  // damping, friction and ranges are not ours
    data_.reset(mj_makeData(model_.get()));
  }

  /// Their forces and their mass matrix, in our order and coordinates.
  Answers answers(const Model<double>& ours, const DrawnState& x)
  {
    const int n = ours.nv();
    BOOST_TEST_REQUIRE(model_->nv == n);
    MatrixX<double> P = MatrixX<double>::Zero(n, n);  // their rates are P times ours
    VectorX<double> turning = VectorX<double>::Zero(n);
    for (const JointSlot& joint : ours.joints()) {
      if (joint.type == JointType::floating) {
        const int their_q = qpos(joint.name), v = dof(joint.name);
        const Matrix3<double> R = rotation(x.q, joint.q + 3);
        for (int k = 0; k < 3; ++k) data_->qpos[their_q + k] = x.q(joint.q + k);
        set_quaternion(x.q, joint.q + 3, their_q + 3);
        P.block(v, joint.v + 3, 3, 3) = R.eigen();
        P.block(v + 3, joint.v, 3, 3).setIdentity();
        const Eigen::Vector3d w = x.qd.segment(joint.v, 3), along = x.qd.segment(joint.v + 3, 3);
        turning.segment(v, 3) = R.eigen() * w.cross(along);
      } else if (joint.type == JointType::ball) {
        set_quaternion(x.q, joint.q, qpos(joint.name));
        P.block(dof(joint.name), joint.v, 3, 3).setIdentity();
      } else {
        for (int k = 0; k < joint.nv; ++k) {
          const std::string part = joint.name + (joint.nv > 1 ? "/" + std::to_string(k + 1) : "");
          data_->qpos[qpos(part)] = x.q(joint.q + k);
          P(dof(part), joint.v + k) = 1;
        }
      }
    }
    const VectorX<double> rates = P * x.qd, accelerations = P * x.qdd + turning;
    std::copy_n(rates.data(), n, data_->qvel);
    Answers theirs(ours, x);
    std::vector<double> M(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
    const auto forces = [&](const VectorX<double>& qacc) {
      std::copy_n(qacc.data(), n, data_->qacc);
      mj_inverse(model_.get(), data_.get());
      VectorX<double> tau = Eigen::Map<const VectorX<double>>(data_->qfrc_inverse, n);
      for (int k = 0; k < n; ++k) tau(k) -= model_->dof_armature[k] * qacc(k);  // in ours only where it is asked for
      return VectorX<double>(P.transpose() * tau);
    };
    theirs.bias = forces(turning);
    theirs.tau = forces(accelerations);
    mj_fullM(model_.get(), M.data(), data_->qM);
    MatrixX<double> full = Eigen::Map<const MatrixX<double>>(M.data(), n, n);
    for (int k = 0; k < n; ++k) full(k, k) -= model_->dof_armature[k];
    theirs.M = P.transpose() * full * P;
    return theirs;
  }

  /// Their rows for joints that follow others, in our order, and how far they are from being met.
  std::pair<MatrixX<double>, VectorX<double>> couplings(const Model<double>& ours, const DrawnState& x)
  {
    const int n = ours.nv();
    model_->opt.disableflags = (model_->opt.disableflags & ~mjDSBL_CONSTRAINT) | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
    model_->opt.jacobian = mjJAC_DENSE;
    VectorX<int> place(n);
    for (const JointSlot& joint : ours.joints()) {
      data_->qpos[qpos(joint.name)] = x.q(joint.q);
      place(joint.v) = dof(joint.name);
    }
    mj_fwdPosition(model_.get(), data_.get());
    BOOST_TEST_REQUIRE(data_->nefc == model_->neq);
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> J(data_->efc_J,
                                                                                                     data_->nefc, n);
    return {MatrixX<double>(J(Eigen::all, place)), Eigen::Map<const VectorX<double>>(data_->efc_pos, data_->nefc)};
  }

private:
  int id(const std::string& name) const
  {
    const int found = mj_name2id(model_.get(), mjOBJ_JOINT, name.c_str());
    BOOST_TEST_REQUIRE(found >= 0, name);
    return found;
  }
  int qpos(const std::string& name) const { return model_->jnt_qposadr[id(name)]; }
  int dof(const std::string& name) const { return model_->jnt_dofadr[id(name)]; }
  static Matrix3<double> rotation(const VectorX<double>& q, int at)
  {
    return SO3<double>(Quaternion<double>{{q(at), q(at + 1), q(at + 2)}, q(at + 3)}).matrix;
  }
  void set_quaternion(const VectorX<double>& q, int from, int to)
  {
    for (int k = 0; k < 4; ++k) data_->qpos[to + k] = q(from + (k + 3) % 4);  // w x y z
  }

  std::unique_ptr<mjModel, void (*)(mjModel*)> model_{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data_{nullptr, mj_deleteData};
};

struct Case {
  std::string name;
  bool floating_base;
};
std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }

std::vector<Case> cases()
{
  std::vector<Case> all;
  for (const BuiltIn& one : built_in_models()) all.push_back({one.name, one.floating_base});
  for (int seed = 0; seed < 20; ++seed) all.push_back({"random:" + std::to_string(seed), seed % 3 == 0});
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mjcf_in_mujoco)

BOOST_DATA_TEST_CASE(mujoco_computes_of_our_files_what_we_compute, boost::unit_test::data::make(cases()), one)
{
  const Mechanism mechanism = sayable(built_in_model(one.name));
  std::array<double, 3> worst{};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Inputs in = Inputs::draw(mechanism, {one.floating_base, true}, seed);
    in.link_wrenches.clear();
    const Model<double> ours(in.mechanism, in.options);
    const DrawnState x(ours, in);
    Machine theirs(mjcf_text(in.mechanism, one.floating_base));
    const std::array<double, 3> off = difference(theirs.answers(ours, x), Answers(ours, x)), allowed = rounding_of(in);
    for (int k = 0; k < 3; ++k) {
      BOOST_TEST(off[k] <= allowed[k]);
      worst[k] = std::max(worst[k], off[k] / allowed[k]);
    }
  }
  std::printf("%-24s tau %8.1e  bias %8.1e  M %8.1e of what rounding may be\n", one.name.c_str(), worst[0], worst[1],
              worst[2]);
}

BOOST_AUTO_TEST_CASE(mujoco_couples_joints_as_we_do)
{
  for (const std::string name : {"mimic_hand", "panda"}) {
    const Inputs in = Inputs::draw(sayable(built_in_model(name)), {false, true}, 3);
    const Model<double> ours(in.mechanism, in.options);
    const DrawnState x(ours, in);
    Loops<double> loops(ours, mimic_loops(in.mechanism));
    loops(x.q, x.qd);
    Machine theirs(mjcf_text(in.mechanism));
    const auto [A, violation] = theirs.couplings(ours, x);
    BOOST_TEST_REQUIRE((A.rows() == loops.rows() && loops.rows() > 0));
    BOOST_TEST((A.array() == loops.A.array()).all(), name);
    for (int m = 0; m < loops.rows(); ++m) {
      BOOST_TEST(std::abs(violation(m) - loops.violation(m)) <= loops.rounding_of_row(m));
      BOOST_TEST(std::abs(violation(m)) > 1e-3);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
