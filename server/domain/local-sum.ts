// Amounts as the dashboard's languages write them.
import type { DashboardLanguage } from "./dashboard-languages";

/** What stands before the decimals; the other of the two stands between groups of three. */
export function decimalSignOf(language: DashboardLanguage): "." | "," {
  return language === "pt-BR" ? "," : ".";
}

/** "1,250.50 BRL", with a comma between groups or none, as the language writes it: "1.250,50 BRL" in Portuguese. */
export function localSum(language: DashboardLanguage, sum: string): string {
  return decimalSignOf(language) === "." ? sum : sum.replaceAll(/[.,]/g, (sign) => (sign === "." ? "," : "."));
}
