"use client";
import { createContext, type ReactNode, useContext } from "react";

interface ShellMember {
  readonly id: string;
  readonly email: string;
  /** What people call the member; null without a name. */
  readonly name: string | null;
  readonly merchantName: string;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

export interface ShellValue {
  readonly environment: "test" | "live";
  readonly member: ShellMember;
  /** The operator had suspended the merchant when the page was rendered. */
  readonly isSuspended: boolean;
}

const Shell = createContext<ShellValue | null>(null);

export function ShellProvider({ value, children }: { readonly value: ShellValue; readonly children: ReactNode }) {
  return <Shell value={value}>{children}</Shell>;
}

/** The environment of this page, and its member. */
export function useShell(): ShellValue {
  const value = useContext(Shell);
  if (!value) throw new Error("only parts of the dashboard know its environment");
  return value;
}

/** Whether the member has a permission; the server checks again at the action. */
export function useMay(permission: string): boolean {
  return useShell().member.permissions.includes(permission);
}
