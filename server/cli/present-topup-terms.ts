// Owns how the command line shows top-up terms.
import type { Environment } from "@/server/domain/scope";
import type { TopupTerms } from "@/server/domain/topup-terms";

/** In wire names, with whose they are. */
export function presentTopupTerms(merchantId: string, environment: Environment, terms: TopupTerms) {
  return {
    merchant_id: merchantId,
    environment,
    overpayment: terms.overpayment,
    underpayment: terms.underpayment,
    late_payment: terms.latePayment,
    spread_basis_points: terms.spreadBasisPoints,
    fee_mode: terms.feeMode,
  };
}
