import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { countWritten, reply } from "../../../emulator-kit/emulator.ts";
import { type Contents, fileReply, keepContent } from "../../../emulator-kit/file.ts";
import type { Repository, User } from "./data.ts";

interface Release {
  id: number;
  assets: object[];
}

const stored = new WeakMap<object, { assets: Map<string, { asset: object; etag: string }>; contents: Contents }>();
const assetsOf = (state: object) => {
  const found = stored.get(state) ?? { assets: new Map(), contents: new Map() };
  stored.set(state, found);
  return found;
};

/** Really at `uploads.github.com`: https://docs.github.com/en/rest/releases/assets#upload-a-release-asset */
export function uploadAsset(
  { headers, bytes, query }: EmulatedRequest,
  state: { me: User },
  repository: Repository,
  release: Release,
): EmulatedReply {
  const id = 60_000_000 + countWritten(state);
  const name = query.get("name")!;
  const now = new Date().toISOString().replace(/\.\d+Z/, "Z");
  const asset = {
    url: `${repository.url}/releases/assets/${id}`,
    id,
    node_id: Buffer.from(`ReleaseAsset${id}`).toString("base64"),
    name,
    label: query.get("label") ?? "",
    uploader: state.me,
    content_type: headers["content-type"] ?? "application/octet-stream",
    state: "uploaded",
    size: bytes.length,
    digest: null,
    download_count: 0,
    created_at: now,
    updated_at: now,
    browser_download_url: `${repository.html_url}/releases/download/${release.id}/${encodeURIComponent(name)}`,
  };
  const { assets, contents } = assetsOf(state);
  assets.set(String(id), { asset, etag: `"${id}"` });
  keepContent(contents, String(id), bytes);
  release.assets.push(asset);
  return reply(201, asset);
}

/** The asset itself, or its content if that is what the client accepts. */
export function readAsset(request: EmulatedRequest, state: object): EmulatedReply | undefined {
  const { assets, contents } = assetsOf(state);
  const found = assets.get(request.params.asset!);
  if (!found) return undefined;
  if (request.headers.accept !== "application/octet-stream") return reply(200, found.asset);
  return fileReply(request, contents.get(request.params.asset!), { etag: found.etag });
}
