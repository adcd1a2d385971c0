// Amounts as the dashboard's languages write them.
import type { DashboardLanguage } from "./dashboard-languages";

/** "1,250.50 BRL", with a comma between groups or none, as the language writes it: "1.250,50 BRL". */
export function localSum(language: DashboardLanguage, sum: string): string {
  return language === "en" ? sum : sum.replaceAll(/[.,]/g, (sign) => (sign === "." ? "," : "."));
}
