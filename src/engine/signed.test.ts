import { createSecretKey } from "node:crypto";
import { expect, it } from "vitest";
import { createSigner } from "./signed.ts";

const keys = [1, 2].map((byte) => createSecretKey(Buffer.alloc(32, byte)));
const signer = createSigner(() => keys);

it("a signature is accepted for the same parts with any key that is kept, and for nothing else", () => {
  const text = signer.signText("state", "id", null);
  expect(signer.verifyText(text, "state", "id", null)).toBe(true);
  expect(createSigner(() => [keys[1]!, keys[0]!]).verifyText(text, "state", "id", null)).toBe(true);
  expect(createSigner(() => [keys[1]!]).verifyText(text, "state", "id", null)).toBe(false);
  for (const parts of [
    ["state", "id"],
    ["statei", "d", null],
    ["state", "id", ""],
    ["state", "id", null, null],
  ] as const)
    expect(signer.verifyText(text, ...parts)).toBe(false);
});

it("a signature is only accepted in the exact encoding that was written", () => {
  const text = signer.signText("a");
  const spare = text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1);
  for (const changed of [`${text}=`, `${text}A`, text.slice(0, -1), "", spare])
    expect(signer.verifyText(changed, "a")).toBe(false);
});

it("a shortened signature is accepted in its own length only", () => {
  const mac = signer.sign(16, "a", Buffer.from("b"));
  expect(mac).toHaveLength(16);
  expect(signer.verify(mac, 16, "a", Buffer.from("b"))).toBe(true);
  expect(signer.verify(mac.subarray(0, 8), 16, "a", Buffer.from("b"))).toBe(false);
  expect(signer.verify(Buffer.alloc(0), 16, "a", Buffer.from("b"))).toBe(false);
  expect(signer.verify(mac, 16, "ab", Buffer.from(""))).toBe(false);
});
