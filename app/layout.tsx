// What every page shares: the document, its language, its title and the styles.
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { dashboardTexts } from "@/components/i18n/catalogues";
import { RememberTimeZone } from "@/components/time/remember-time-zone";
import { pageLanguage } from "@/server/auth/page-language";
import { directionOf } from "@/server/contract/languages";
import { readerOf } from "@/server/http/payer/reader";
import { FONTS } from "./fonts";

export const metadata: Metadata = {
  title: { default: "Sluice", template: "%s · Sluice" },
  description: "Collect, send and fund through payment service providers.",
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f5f3ee" },
    { media: "(prefers-color-scheme: dark)", color: "#111413" },
  ],
};

/** The chosen theme, else the system's. Reading the cookie makes every page dynamic, with its own nonce. */
async function chosenTheme(): Promise<"light" | "dark" | undefined> {
  const theme = (await cookies()).get("sluice.theme")?.value;
  return theme === "light" || theme === "dark" ? theme : undefined;
}

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const given = await headers();
  const isPayer = given.get("x-sluice-path")?.startsWith("/pay/") ?? false;
  const language = isPayer ? readerOf(given).language : await pageLanguage();
  const texts = dashboardTexts(isPayer ? "en" : await pageLanguage());
  // For the page that replaces this one if it cannot be rendered.
  const failed = [texts("pages.failed"), texts("pages.failedWhy"), texts("pages.tryAgain")];
  return (
    <html lang={language} className={FONTS} dir={directionOf(language)} data-theme={await chosenTheme()}>
      <body data-failed={failed.join("\n")}>
        {isPayer ? null : <RememberTimeZone />}
        {children}
      </body>
    </html>
  );
}
