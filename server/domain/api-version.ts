// The version every answer names: additive changes keep it, a new event type or a changed meaning does not.

/** Sent as the `Api-Version` header. */
export const API_VERSION = "2026-11-01";
