// Owns what every part of the dashboard knows: the environment, and who the member is.
"use client";
import { createContext, type ReactNode, useContext } from "react";

interface ShellMember {
  readonly id: string;
  readonly email: string;
  readonly merchantName: string;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

export interface ShellValue {
  readonly environment: "test" | "live";
  readonly member: ShellMember;
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

/** Whether the member may do something; the server decides again when they do. */
export function useMay(permission: string): boolean {
  return useShell().member.permissions.includes(permission);
}
