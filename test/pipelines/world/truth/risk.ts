/** Columns of the National Risk Index that fields tell as they are published, by field. */
export const RISK_COLUMNS = {
  nri_risk_score: 'RISK_SCORE',
  nri_inland_flooding_risk_score: 'IFLD_RISKS',
  nri_avalanche_risk_score: 'AVLN_RISKS',
  nri_hurricane_eal_usd: 'HRCN_EALT',
} as const;
