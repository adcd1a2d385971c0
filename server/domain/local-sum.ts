// Amounts as the dashboard's languages write them.
import type { DashboardLanguage } from "./dashboard-languages";

/** What stands before the decimals; the other of the two stands between groups of three. */
export function decimalSignOf(language: DashboardLanguage): "." | "," {
  return language === "en" ? "." : ",";
}

/** "1,250.50 BRL", with a comma between groups or none, as the language writes it: "1.250,50 BRL". */
export function localSum(language: DashboardLanguage, sum: string): string {
  if (decimalSignOf(language) === ".") return sum;
  return sum.replaceAll(/[.,]/g, (sign) => (sign === "." ? "," : "."));
}
