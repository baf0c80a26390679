/** \file
 *  \brief What recursions take in Python: the number of a body, and external wrenches in either form.
 */
#pragma once
#include "arrays.hpp"
#include <articulate/model/recursion.hpp>
#include "unlocked.hpp"

namespace articulate::python {

/** \brief The coordinates of a model where the caller keeps them.
 *  \throws SizeError, StateError naming the argument, or the joint whose quaternion is no rotation
 */
inline Eigen::Map<const VectorX<double>> configuration(const Model<double>& model, const Numbers& q)
{
  const auto given = vector(q, "q", model.nq());
  if (model.nq() == model.nv()) return given;  // no quaternions
  for (const JointSlot& joint : model.joints()) {
    if (joint.nq == joint.nv) continue;
    const double* x = given.data() + joint.q + joint.nq - 4;
    if (!(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] > 0))
      throw StateError("The quaternion of joint '" + joint.name + "' in q, from q[" +
                       std::to_string(joint.q + joint.nq - 4) +
                       "] on, has length zero and is no rotation; one has length one.");
  }
  return given;
}

/// \brief None, six numbers by link name in the link's frame, or (N + 1, 6) in body frames.
using GivenWrenches = std::optional<std::variant<std::map<std::string, Numbers>, Numbers>>;

/// \brief The wrenches on the bodies, in body frames.   \throws SizeError, StateError naming link or entry
inline ExternalWrenches<double> on_bodies(const Model<double>& model, const GivenWrenches& given)
{
  if (!given) return {};
  ExternalWrenches<double> wrenches(model.bodies() + 1);
  if (const auto* by_link = std::get_if<0>(&*given)) {
    for (const auto& [name, numbers] : *by_link) {
      const LinkFrame<double>& link = model.link(name);
      wrenches[link.body] += coAdInv(link.X, to_wrench(vector(numbers, ("Fext['" + name + "']").c_str(), 6)));
    }
    return wrenches;
  }
  const Numbers& rows = std::get<1>(*given);
  const std::vector<py::ssize_t> shape{model.bodies() + 1, 6};
  if (rows.shape() != shape)
    throw StateError("Fext has the shape " + text(rows.shape()) + " where the model needs " + text(shape) + ".");
  require_finite(rows, "Fext");
  for (int i = 0; i <= model.bodies(); ++i)
    wrenches[i] = to_wrench(Eigen::Map<const Vector6<double>>(&rows.begin()[6 * i]));
  return wrenches;
}

/// \brief Body i, or Python's IndexError where there is none.
inline const Body<double>& body(const Model<double>& model, int i)
{
  if (i < 0 || i > model.bodies())
    throw py::index_error("There is no body " + std::to_string(i) + "; the model has the world, 0, and bodies 1 to " +
                          std::to_string(model.bodies()) + ".");
  return model.body(i);
}

/// \brief The same recursion, or the refusal of one that has not run.   \throws StateError naming what is asked for
template <typename Class>
const Class& ran(const Class& recursion, const char* what)
{
  recursion.require_run(what);
  return recursion;
}

/// \brief The same as seen(member), once the recursion has run, and where no number of it overflowed.
template <typename Class, typename Member>
auto seen(Member Class::*member, const char* name)
{
  return py::cpp_function(
      [member, name](py::object self) {
        const Array all = view(ran(self.cast<const Class&>(), name).*member, self);
        require_finite_result(Eigen::Map<const VectorX<double>>(all.data(), all.size()), name);
        return all;
      },
      py::return_value_policy::move);
}

/// \brief Refuse views of a base class that a recursion does not fill, where they would show what is none of its results.
template <typename Bound>
void refuse_views(Bound& type, std::initializer_list<const char*> names)
{
  const std::string which = py::str(type.attr("__name__"));
  for (const char* name : names)
    type.def_property_readonly(
        name,
        [words = which + " does not compute " + name +
                 "; ForwardDynamics does."](const typename Bound::type&) -> Array { throw py::attribute_error(words); },
        "Not computed here: raises AttributeError.");
}

void bind_recursions(py::module_& m);
void bind_batch(py::module_& m);

}  // namespace articulate::python
