namespace articulate::validation {

extern const double bound = ARTICULATE_CHAPTER_BOUND;  // of residuals on the checker's cases

}  // namespace articulate::validation
