// Why a page of the dashboard is not found: the member's role does not open it, or its object is elsewhere.
"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { rolesText } from "../i18n/role-text";
import { useTexts } from "../i18n/use-texts";
import { type DashboardPage, PAGES } from "./navigation";
import { useShell } from "./shell-context";

type Opened = Pick<DashboardPage, "path" | "labelKey" | "permission">;

/** Pages that need another permission than the page above them, and then all pages. */
const OPENED: readonly Opened[] = [
  { path: "webhooks/endpoints", labelKey: "shell.webhookEndpoints", permission: "manage_webhooks" },
  ...PAGES,
];

/** The page of the address; the overview, whose path is empty, is open to everybody. */
function pageOf(pathname: string): Opened | undefined {
  const here = pathname.split("/").slice(2).join("/");
  return OPENED.find(({ path }) => path !== "" && (here === path || here.startsWith(`${path}/`)));
}

/** A member without the role for the page learns that; whether its object exists stays open. */
export function NotFoundHere() {
  const texts = useTexts();
  const { member } = useShell();
  const page = pageOf(usePathname());
  if (page && !member.permissions.includes(page.permission)) {
    const label = texts(page.labelKey);
    return (
      <>
        <h1 className="text-xl">{texts("shell.youCantOpen", { label })}</h1>
        <p className="max-w-prose text-ink-soft">
          {texts("shell.closedWhy", { roles: rolesText(texts, member.roles), label })}
        </p>
      </>
    );
  }
  return (
    <>
      <h1 className="text-xl">{texts("shell.thereIsNothingHere")}</h1>
      <OtherEnvironment />
    </>
  );
}

/** The most likely reason why an object is not found: it is in the other environment. */
function OtherEnvironment() {
  const texts = useTexts();
  const { environment } = useShell();
  const pathname = usePathname();
  const other = environment === "test" ? "live" : "test";
  return (
    <>
      <p className="max-w-prose text-ink-soft">{texts("shell.nothingHereWhy", { other })}</p>
      <Link
        href={pathname.replace(/^\/[^/]+/, `/${other}`)}
        className="font-medium text-accent underline underline-offset-3 hover:text-accent-strong"
      >
        {texts("shell.lookInOther", { other })}
      </Link>
    </>
  );
}
