import {
  countWritten,
  type EmulatedReply,
  type EmulatedRequest,
  fileReply,
  keepContent,
  reply,
  toSecond,
} from "../../../emulator-kit/index.ts";
import { nodeId, type Repository } from "./data.ts";
import type { State } from "./state.ts";

/** Really at `uploads.github.com`: https://docs.github.com/en/rest/releases/assets#upload-a-release-asset */
export function uploadAsset(
  { headers, bytes, query }: EmulatedRequest,
  state: State,
  repository: Repository,
  release: { id: number; assets: object[] },
): EmulatedReply {
  const id = 60_000_000 + countWritten(state);
  const name = query.get("name")!;
  const now = toSecond(new Date());
  const asset = {
    url: `${repository.url}/releases/assets/${id}`,
    id,
    node_id: nodeId("ReleaseAsset", id),
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
  state.assets.set(String(id), asset);
  keepContent(state.files, String(id), bytes);
  release.assets.push(asset);
  return reply(201, asset);
}

/** The asset itself, or its content if that is what the client accepts. */
export function readAsset(request: EmulatedRequest, { assets, files }: State): EmulatedReply | undefined {
  const id = request.params.asset!;
  const asset = assets.get(id);
  const isContent = request.headers.accept === "application/octet-stream";
  return asset && (isContent ? fileReply(request, files.get(id), { etag: `"${id}"` }) : reply(200, asset));
}
