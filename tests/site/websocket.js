// SPDX-License-Identifier: GPL-2.0-or-later
// As much of a WebSocket as a browser's debugging needs: text messages, from a client, on this machine.
// Node's own came after the version of Debian 12.
"use strict";

const crypto = require("crypto");
const http = require("http");

function frameOf(opcode, payload) {
  const mask = crypto.randomBytes(4), size = payload.length;
  const head = size < 126 ? Buffer.from([0x80 | opcode, 0x80 | size])
    : size < 65536 ? Buffer.from([0x80 | opcode, 0xfe, size >> 8, size & 255])
    : Buffer.concat([Buffer.from([0x80 | opcode, 0xff, 0, 0, 0, 0]), uint32(size)]);
  const masked = Buffer.from(payload);
  for (let i = 0; i < size; ++i) masked[i] ^= mask[i & 3];
  return Buffer.concat([head, mask, masked]);
}

function uint32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

// The frame that begins some bytes: {opcode, isLast, payload, end}, or null while it is not whole.
function readFrame(bytes) {
  if (bytes.length < 2) return null;
  let size = bytes[1] & 0x7f, at = 2;
  if (size === 126) [size, at] = [bytes.length >= 4 ? bytes.readUInt16BE(2) : Infinity, 4];
  else if (size === 127) [size, at] = [bytes.length >= 10 ? Number(bytes.readBigUInt64BE(2)) : Infinity, 10];
  const end = at + size;
  return bytes.length < end ? null : {opcode: bytes[0] & 15, isLast: bytes[0] >= 0x80, payload: bytes.subarray(at, end), end};
}

// Opens a connection; `take` gets each message. {send, close}.
function connect(url, take) {
  return new Promise((resolve, reject) => {
    const request = http.request(url.replace(/^ws:/, "http:"), {headers: {
      Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": crypto.randomBytes(16).toString("base64")}});
    request.on("error", reject);
    request.on("response", ({statusCode}) => reject(new Error(`${url}: ${statusCode}`)));
    request.on("upgrade", (_, socket, first) => {
      let rest = first, parts = [];
      const read = () => {
        for (let frame; (frame = readFrame(rest)); rest = rest.subarray(frame.end)) {
          if (frame.opcode === 9) socket.write(frameOf(10, frame.payload));
          if (frame.opcode > 2) continue;
          parts.push(frame.payload);
          if (!frame.isLast) continue;
          const text = Buffer.concat(parts).toString();
          parts = [];
          take(text);
        }
      };
      socket.on("error", () => {});
      socket.on("data", (bytes) => {
        rest = Buffer.concat([rest, bytes]);
        read();
      });
      resolve({send: (text) => socket.write(frameOf(1, Buffer.from(text))), close: () => socket.destroy()});
      read();
    });
    request.end();
  });
}

module.exports = {connect};
