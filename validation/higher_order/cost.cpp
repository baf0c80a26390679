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

/// For each tip, how many bodies it takes from there to the base, which is body 1 and not counted.
std::vector<int> bodies_to_tips(const Model<double>& model)
{
  std::vector<bool> is_parent(model.bodies() + 1, false);
  for (int i = 1; i <= model.bodies(); ++i) is_parent[model.body(i).parent] = true;
  std::vector<int> way;
  for (int tip = 1; tip <= model.bodies(); ++tip) {
    if (is_parent[tip]) continue;
    way.push_back(0);
    for (int i = tip; i > 1; i = model.body(i).parent) ++way.back();
  }
  return way;
}

/// Every hinge costs the same, and the cost of an order is the parabola through those of orders 1 to 3: the body form
/// leaves order 0 to the earlier chapters.
template <typename S>
void lines_and_parabolas(const Specimen<S>& x, Sides<S>& sides)
{
  const Model<double> one = with_hinges(x.inputs, 1), two = with_hinges(x.inputs, 2), three = with_hinges(x.inputs, 3);
  for (const Method method : {Method::body, Method::spatial})
    for (const bool prescribed : {true, false}) {
      sides.clause("ali:F4/bodies");
      for (const int r : {0, 3}) {
        const long c1 = multiplications(one, method, prescribed, r), c2 = multiplications(two, method, prescribed, r),
                   c3 = multiplications(three, method, prescribed, r);
        sides.add_counts(c3 - c2, c2 - c1);
        sides.rival("each hinge costs in proportion to those before it, as in a dense matrix",
                    [&](auto& wrong) { wrong.add_counts((c3 - c2) * (two.nv() - 1), (c2 - c1) * (three.nv() - 1)); });
      }
      long c[6];
      for (int r = 1; r < 6; ++r) c[r] = multiplications(one, method, prescribed, r);
      sides.clause("ali:F4/orders");
      sides.add_counts(c[4], c[1] - 3 * c[2] + 3 * c[3]);
      sides.add_counts(c[5], 3 * c[1] - 8 * c[2] + 6 * c[3]);
      sides.rival("each order costs the same", [&](auto& wrong) { wrong.add_counts(c[4], 2 * c[3] - c[2]); });
    }
}

}  // namespace

template <typename S>
void higher_order_cost(Registry<S>& r)
{
  const auto applies = [](const Model<double>& m) { return is_small(m); };
  r.identity({.name = "cost_is_a_line_in_the_bodies_and_a_parabola_in_the_order",
              .keys = {"ali:F4/bodies", "ali:F4/orders"},
              .symbols = "BodyForm SpatialForm",
              .method = "counted multiplications",
              .sides = lines_and_parabolas<S>,
              .applies = applies});

  // (61) has six cross products and eighteen; a binomial scales six numbers, or the twist that makes a whole matrix.
  r.identity({.name = "a_pair_of_orders_costs_a_hinge_what_its_equations_say",
              .keys = {"ali:F4/orders"},
              .symbols = "SpatialForm CrossProducts",
              .method = "counted multiplications, by hand",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const int S_and_its_binomial = 3 * 6 + 6, V = 1 + 6, Pi = 36 + 6, tau = 6 + 1;
                    for (const bool prescribed : {true, false}) {
                      const long pair = pair_of_orders(x.inputs, Method::spatial, prescribed);
                      sides.add_counts(pair, S_and_its_binomial + (6 * 18 + 6) + V + Pi + tau);
                      sides.add_counts(pair_of_orders(x.inputs, Method::dense, prescribed),
                                       (36 + 6) + (2 * 216 + 36) + V + Pi + tau);
                      sides.rival("each half of the rate of an inertia is made by itself", [&](auto& wrong) {
                        wrong.add_counts(pair, S_and_its_binomial + 2 * (6 * 18 + 6) + V + Pi + tau);
                      });
                    }
                  },
              .applies = applies});

  // A product of numbers with rates takes three products, and a quotient two quotients and a product: so what r
  // differentiations cost is a sum of multiples of 3^r and 2^r.
  r.identity({.name = "each_differentiation_of_inverse_dynamics_multiplies_its_cost",
              .keys = {"ali:F4/differentiation"},
              .symbols = "WithRate",
              .method = "counted multiplications",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Model<double> model = with_hinges(x.inputs, 1);
                    long c[4];
                    for (int r = 0; r < 4; ++r) c[r] = differentiated_multiplications(model, r);
                    sides.add_counts(c[2], 5 * c[1] - 6 * c[0]);
                    sides.add_counts(c[3], 5 * c[2] - 6 * c[1]);
                    sides.add_counts(c[1] > 2 * c[0] && c[2] > 2 * c[1] && c[3] > 2 * c[2], 1);
                    sides.rival("as a parabola, as by series in time",
                                [&](auto& wrong) { wrong.add_counts(c[3], c[0] - 3 * c[1] + 3 * c[2]); });
                  },
              .applies = applies});

  r.identity({.name = "the_benchmarks_move_101_bodies_with_five_tips_and_106_degrees_of_freedom",
              .keys = {"ali:T4"},
              .symbols = "Model",
              .method = "counted",
              .sides =
                  [](const Specimen<S>&, Sides<S>& sides) {
                    const Model<double> model(built_in_model("tree:5x20"), {.floating_base = true});
                    sides.add_counts(model.bodies(), 101);
                    sides.add_counts(model.nv(), 106);
                    // Four branches of 20 grow from the first body of the fifth: their tips have 21 bodies on their way
                    // to the base, that of the fifth has 20.
                    const std::vector<int> way = bodies_to_tips(model);
                    sides.add_counts(way.size(), 5);
                    sides.add_counts(std::count(way.begin(), way.end(), 20), 1);
                    sides.add_counts(std::count(way.begin(), way.end(), 21), 4);
                  },
              .applies = applies});

  // What is printed costs a pair of orders an order of magnitude more than what it computes needs.
  const auto dense_is_needed = [](const Specimen<S>& x, Sides<S>& sides) {
    sides.add_counts(pair_of_orders(x.inputs, Method::dense, true), pair_of_orders(x.inputs, Method::body, true));
  };
  r.erratum({.id = "E-ali-7",
             .keys = {"ali:F4"},
             .margin = 0.9,
             .printed = {dense_is_needed},
             .corrected = lines_and_parabolas<S>});
}

template void higher_order_cost(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
