// Chapter higher_order: what Figure 4 of Ali, Gabellieri and Franchi claims of costs, by counting multiplications.
#include <algorithm>
#include <higher_order/counts.hpp>
#include <ledger/registry.hpp>
#include <models/models.hpp>

namespace articulate::validation {

namespace {

/// A robot with a chain of hinges at its last link; all hinges are alike.
Model<double> with_hinges(const Inputs& inputs, int hinges)
{
  Mechanism mechanism = inputs.mechanism;
  for (int k = 0; k < hinges; ++k) {
    const std::string name = "counted_" + std::to_string(k);
    mechanism.joints.push_back({name, JointType::revolute, mechanism.links.back().name, name, {1, 2, 3}, {1, 2, 3, 4}});
    mechanism.links.push_back({name, 1, {3, 2, 1}, {4, 3, 2, 1}, {4, 0, 0, 5, 0, 6}});
  }
  return Model<double>(mechanism, {inputs.options.floating_base, true});
}

/// What one hinge more costs at an order.
long hinge(const Inputs& inputs, Method method, bool prescribed, int order)
{
  return multiplications(with_hinges(inputs, 2), method, prescribed, order) -
         multiplications(with_hinges(inputs, 1), method, prescribed, order);
}

/// The second difference by order of the cost of a hinge: what a pair of orders (l, k - l) costs.
long pair_of_orders(const Inputs& inputs, Method method, bool prescribed)
{
  return hinge(inputs, method, prescribed, 1) - 2 * hinge(inputs, method, prescribed, 2) +
         hinge(inputs, method, prescribed, 3);
}

int number_of_tips(const Model<double>& model)
{
  std::vector<bool> is_parent(model.bodies() + 1, false);
  for (int i = 1; i <= model.bodies(); ++i) is_parent[model.body(i).parent] = true;
  return static_cast<int>(std::count(is_parent.begin(), is_parent.end(), false));
}

/// Every hinge costs the same, and the cost of an order is the parabola through those of orders 1 to 3: the body form
/// leaves order 0 to the earlier chapters.
template <typename S>
void lines_and_parabolas(const Specimen<S>& x, Sides<S>& sides)
{
  const Model<double> one = with_hinges(x.inputs, 1), two = with_hinges(x.inputs, 2), three = with_hinges(x.inputs, 3);
  for (const Method method : {Method::body, Method::spatial})
    for (const bool prescribed : {true, false}) {
      for (const int r : {0, 3})
        sides.add(S(multiplications(three, method, prescribed, r) - multiplications(two, method, prescribed, r)),
                  S(multiplications(two, method, prescribed, r) - multiplications(one, method, prescribed, r)));
      long c[6];
      for (int r = 1; r < 6; ++r) c[r] = multiplications(one, method, prescribed, r);
      sides.add(S(c[4]), S(c[1] - 3 * c[2] + 3 * c[3]));
      sides.add(S(c[5]), S(3 * c[1] - 8 * c[2] + 6 * c[3]));
    }
}

}  // namespace

template <typename S>
void higher_order_cost(Registry<S>& r)
{
  const auto applies = [](const Model<double>& m) { return is_small(m); };
  r.identity({.name = "cost_is_a_line_in_the_bodies_and_a_parabola_in_the_order",
              .keys = {"ali:F4"},
              .symbols = "BodyForm SpatialForm HigherOrderDynamics",
              .method = "counted multiplications",
              .sides = lines_and_parabolas<S>,
              .applies = applies});

  // (61) has six cross products and eighteen; a binomial scales six numbers, or the twist that makes a whole matrix.
  r.identity({.name = "a_pair_of_orders_costs_a_hinge_what_its_equations_say",
              .keys = {"ali:F4"},
              .symbols = "SpatialForm CrossProducts",
              .method = "counted multiplications, by hand",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const int S_and_its_binomial = 3 * 6 + 6, V = 1 + 6, Pi = 36 + 6, tau = 6 + 1;
                    for (const bool prescribed : {true, false}) {
                      sides.add(S(pair_of_orders(x.inputs, Method::spatial, prescribed)),
                                S(S_and_its_binomial + (6 * 18 + 6) + V + Pi + tau));
                      sides.add(S(pair_of_orders(x.inputs, Method::dense, prescribed)),
                                S((36 + 6) + (2 * 216 + 36) + V + Pi + tau));
                    }
                  },
              .applies = applies});

  r.identity({.name = "nested_differentiation_triples_the_cost_of_a_product_with_each_order",
              .keys = {"ali:F4"},
              .symbols = "product_costs",
              .method = "counted multiplications, by hand",
              .sides =
                  [](const Specimen<S>&, Sides<S>& sides) {
                    const ProductCosts costs = product_costs();
                    long power = 1;
                    for (std::size_t k = 0; k < costs.nested.size(); ++k, power *= 3) {
                      sides.add(S(costs.nested[k]), S(power));
                      sides.add(S(costs.series[k]), S((k + 1) * (k + 2) / 2));
                    }
                  },
              .applies = applies});

  r.identity({.name = "the_benchmarks_move_101_bodies_with_five_tips_and_106_degrees_of_freedom",
              .keys = {"ali:T4"},
              .symbols = "Model",
              .method = "counted",
              .sides =
                  [](const Specimen<S>&, Sides<S>& sides) {
                    const Model<double> model(built_in_model("tree:5x20"), {.floating_base = true});
                    sides.add(S(model.bodies()), S(101));
                    sides.add(S(model.nv()), S(106));
                    sides.add(S(number_of_tips(model)), S(5));
                  },
              .applies = applies});

  // What is printed costs a pair of orders an order of magnitude more than what it computes needs.
  const auto dense_is_needed = [](const Specimen<S>& x, Sides<S>& sides) {
    sides.add(S(pair_of_orders(x.inputs, Method::dense, true)), S(pair_of_orders(x.inputs, Method::body, true)));
  };
  r.erratum({.id = "E-ali-7",
             .keys = {"ali:F4"},
             .margin = 0.9,
             .printed = {dense_is_needed},
             .corrected = lines_and_parabolas<S>});
}

template void higher_order_cost(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
