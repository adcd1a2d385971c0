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
    meaning: texts("exceptions.theProviderMovedMoneyAfterThis"),
    advice: texts("exceptions.creditItToTheWalletOr"),
  },
  amount_mismatch: {
    label: texts("exceptions.amountMismatch"),
    meaning: texts("exceptions.theProviderMovedAnotherSumThan"),
    advice: texts("exceptions.findOutWhichSideIsRight"),
  },
  bank_return: {
    label: texts("exceptions.payoutCameBack"),
    meaning: texts("exceptions.theRecipientsBankReturnedAPayout"),
    advice: texts("exceptions.checkTheRecipientsAccountAndMake"),
  },
  funds_dropped: {
    label: texts("exceptions.fundsVanished"),
    meaning: texts("exceptions.fundsOfATopupWere"),
    advice: texts("exceptions.takeThemBackFromTheWallet"),
  },
  stuck: {
    label: texts("exceptions.standsStill"),
    meaning: texts("exceptions.nothingHasHappenedToItFor"),
    advice: texts("exceptions.askTheProviderIfTheIntent"),
  },
  missing_internal: {
    label: texts("exceptions.notInOurBooks"),
    meaning: texts("exceptions.theProvidersSettlementFileHasA"),
    advice: texts("exceptions.askTheProviderTwoOperatorsBook"),
  },
  missing_external: {
    label: texts("exceptions.notInTheSettlement"),
    meaning: texts("exceptions.ourBooksHaveAMovementThat"),
    advice: texts("exceptions.askTheProviderThisClosesBy"),
  },
  duplicate: {
    label: texts("exceptions.duplicate"),
    meaning: texts("exceptions.theSettlementFileSettlesAMovement"),
    advice: texts("exceptions.askForTheSecondSumBack"),
  },
  unassigned_fee: {
    label: texts("exceptions.unassignedFee"),
    meaning: texts("exceptions.theProviderChargedAFeeThat"),
    advice: texts("exceptions.bookItWhereYouKeepYour"),
  },
  ambiguous_receipt: {
    label: texts("exceptions.possibleSecondReceipt"),
    meaning: texts("exceptions.theProviderReportedMoneyThatMay"),
    advice: texts("exceptions.askTheProviderHowManyPayments"),
  },
  contradiction: {
    label: texts("exceptions.contradictingReports"),
    meaning: texts("exceptions.theProvidersReportContradictsAnEarlier"),
    advice: texts("exceptions.askTheProviderWhatReallyHappened"),
  },
  screening_hold: {
    label: texts("exceptions.heldByScreening"),
    meaning: texts("exceptions.theOperatorsScreenerHoldsThePayout"),
    advice: texts("exceptions.openThePayoutAndReleaseOr"),
  },
  unapplied_callback: {
    label: texts("exceptions.callbackNotApplied"),
    meaning: texts("exceptions.aCallbackCouldNotBeRead"),
    advice: texts("exceptions.findOutWhatItReportsThen"),
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
    label: texts("exceptions.creditItToTheWallet"),
    effect: texts("exceptions.itBecomesAvailableAtOnceOf"),
    done: texts("exceptions.credited"),
  },
  refund: {
    verb: texts("exceptions.noteTheReturnOf"),
    label: texts("exceptions.returnToPayer"),
    effect: texts("exceptions.byHandWeOnlyRecordIt"),
    done: texts("exceptions.sentBack"),
  },
  recover: {
    verb: texts("exceptions.recover"),
    label: texts("exceptions.takeItFromTheWallet"),
    effect: texts("exceptions.theWalletMustHaveItAvailable"),
    done: texts("exceptions.recovered"),
  },
  absorb: {
    verb: texts("exceptions.bear"),
    label: texts("exceptions.bearTheLoss"),
    effect: texts("exceptions.theWalletKeepsWhatItHas"),
    done: texts("exceptions.borne"),
  },
  restore: {
    verb: texts("exceptions.noteTheArrivalOf"),
    label: texts("exceptions.theMoneyCameAfterAll"),
    effect: texts("exceptions.theProviderHasItAgainThe"),
    done: texts("exceptions.restored"),
  },
});
