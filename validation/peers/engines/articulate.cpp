/* Our own library behind the protocol, asked as any other is: `check --laws` has to find that it keeps all laws, and the
 * tests put faults into its answers. */
#include <articulate/model/urdf.hpp>
#include <articulate/oracle/answers.hpp>
#include <memory>
#include <optional>
#include <peers/engines/engine.hpp>

namespace articulate::peers {

namespace {

class Articulate : public Engine {
public:
  Articulate()
  {
    for (const oracle::Quantity& quantity : oracle::quantities()) {
      const std::string known(quantity.name);
      functions_[known] = [this, known](auto& link) { return answer(known + link); };
    }
  }
  std::string name() const override { return "Articulate"; }
  std::string version() const override { return "1"; }
  bool closes_loops() const override { return true; }

  void load(const Described& model) override
  {
    ours_.emplace(parse_urdf(model.text, model.name), ModelOptions{model.floating_base, true});
    loops_ = model.loops.empty() ? nullptr : std::make_shared<const std::vector<Loop>>(model.loops);
  }

  void set(const Asked& state) override
  {
    VectorX<double> q = state.q;
    if (ours_->floating_base()) {
      q.resize(state.q.size() + 7);
      q << state.position, state.quaternion.coeffs(), state.q;
    }
    asked_ = {q, state.qd, state.qdd, state.tau, Vector3<double>(state.gravity), {}};
    asked_.loops = loops_;
    asked_.external_wrenches = ExternalWrenches<double>(ours_->bodies() + 1);
    for (const auto& [name, F] : state.wrenches) {
      const LinkFrame<double>& link = ours_->link(name);
      asked_.external_wrenches[link.body] += coAdInv(link.X, Wrench<double>{{F[0], F[1], F[2]}, {F[3], F[4], F[5]}});
    }
  }

private:
  Eigen::MatrixXd answer(const std::string& name) const { return oracle::answers(*ours_, asked_, {{name}}).at(name); }

  std::optional<Model<double>> ours_;
  std::shared_ptr<const std::vector<Loop>> loops_;
  oracle::Question asked_;
};

}  // namespace

}  // namespace articulate::peers

int main(int count, char** words)
{
  articulate::peers::Articulate engine;
  return articulate::peers::converse(engine, count, words);
}
