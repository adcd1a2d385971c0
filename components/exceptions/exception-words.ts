import type { ExceptionKind } from "@/server/domain/exceptions";
import type { Settlement } from "@/server/domain/suspense";
import type { Texts } from "../i18n/dashboard-texts";

interface KindWords {
  readonly label: string;
  readonly meaning: string;
  readonly advice: string;
}

export const kindWordsIn = (texts: Texts): Readonly<Record<ExceptionKind, KindWords>> => ({
  late_money: {
    label: texts("exceptions.lateMoney"),
    meaning: texts("exceptions.lateMoneyWhat"),
    advice: texts("exceptions.lateMoneyNext"),
  },
  amount_mismatch: {
    label: texts("exceptions.amountMismatch"),
    meaning: texts("exceptions.mismatchWhat"),
    advice: texts("exceptions.mismatchNext"),
  },
  bank_return: {
    label: texts("exceptions.payoutCameBack"),
    meaning: texts("exceptions.bankReturnWhat"),
    advice: texts("exceptions.bankReturnNext"),
  },
  funds_dropped: {
    label: texts("exceptions.fundsVanished"),
    meaning: texts("exceptions.fundsDroppedWhat"),
    advice: texts("exceptions.fundsDroppedNext"),
  },
  stuck: {
    label: texts("exceptions.standsStill"),
    meaning: texts("exceptions.stuckWhat"),
    advice: texts("exceptions.stuckNext"),
  },
  missing_internal: {
    label: texts("exceptions.notInOurBooks"),
    meaning: texts("exceptions.missingInternalWhat"),
    advice: texts("exceptions.missingInternalNext"),
  },
  missing_external: {
    label: texts("exceptions.notInTheSettlement"),
    meaning: texts("exceptions.missingExternalWhat"),
    advice: texts("exceptions.missingExternalNext"),
  },
  duplicate: {
    label: texts("exceptions.duplicate"),
    meaning: texts("exceptions.duplicateWhat"),
    advice: texts("exceptions.duplicateNext"),
  },
  unassigned_fee: {
    label: texts("exceptions.unassignedFee"),
    meaning: texts("exceptions.unexpectedFeeWhat"),
    advice: texts("exceptions.unexpectedFeeNext"),
  },
  ambiguous_receipt: {
    label: texts("exceptions.possibleSecondReceipt"),
    meaning: texts("exceptions.possibleDuplicateWhat"),
    advice: texts("exceptions.possibleDuplicateNext"),
  },
  contradiction: {
    label: texts("exceptions.contradictingReports"),
    meaning: texts("exceptions.contradictionWhat"),
    advice: texts("exceptions.contradictionNext"),
  },
  screening_hold: {
    label: texts("exceptions.heldByScreening"),
    meaning: texts("exceptions.screeningWhat"),
    advice: texts("exceptions.screeningNext"),
  },
  unapplied_callback: {
    label: texts("exceptions.callbackNotApplied"),
    meaning: texts("exceptions.callbackWhat"),
    advice: texts("exceptions.callbackNext"),
  },
});

interface SettlementWords {
  /** "Credit" of "Credit 10.50 BRL". */
  readonly verb: string;
  readonly label: string;
  readonly effect: string;
  readonly done: string;
}

export const settlementWordsIn = (texts: Texts): Readonly<Record<Settlement, SettlementWords>> => ({
  credit: {
    verb: texts("exceptions.credit"),
    label: texts("exceptions.creditWallet"),
    effect: texts("exceptions.creditEffect"),
    done: texts("exceptions.credited"),
  },
  refund: {
    verb: texts("exceptions.noteTheReturnOf"),
    label: texts("exceptions.returnToPayer"),
    effect: texts("exceptions.returnedByHandEffect"),
    done: texts("exceptions.sentBack"),
  },
  recover: {
    verb: texts("exceptions.recover"),
    label: texts("exceptions.debitWallet"),
    effect: texts("exceptions.debitEffect"),
    done: texts("exceptions.recovered"),
  },
  absorb: {
    verb: texts("exceptions.bear"),
    label: texts("exceptions.bearTheLoss"),
    effect: texts("exceptions.writeOffEffect"),
    done: texts("exceptions.borne"),
  },
  restore: {
    verb: texts("exceptions.noteTheArrivalOf"),
    label: texts("exceptions.arrived"),
    effect: texts("exceptions.arrivedEffect"),
    done: texts("exceptions.restored"),
  },
});
