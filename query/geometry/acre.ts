/** Square metres of the international acre (NIST SP 811, Appendix B: 4 046.856 4224), in which acreage is given. */
export const ACRE_M2 = 4046.8564224;
