/** \file
 *  \brief What the columns of a table about a model are called.
 */
#pragma once
#include <string>
#include <vector>
#include <articulate/model/model.hpp>

namespace articulate::cli {

/** \brief `QUANTITY.JOINT` for each coordinate or rate, and `QUANTITY.JOINT.PART` where a joint has several.
 *
 *  In model order; a floating base is called base. Parts of a pose are px py pz qx qy qz qw, of a twist or a wrench
 *  ax ay az (angular) lx ly lz (linear); of other joints they are counted from 0.
 */
std::vector<std::string> coordinate_columns(const std::string& quantity, const Model<double>& model);
std::vector<std::string> rate_columns(const std::string& quantity, const Model<double>& model);

/// \brief Names as the first line of a table, quoted where they must be.
std::string csv_header(const std::vector<std::string>& names);

}  // namespace articulate::cli
