#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Asks kwsearch --serve-stdio with the Python client of the Model Context Protocol's own SDK, and compares its answers
with the command line's and the files. Run by tools/check_mcp, which installs the SDK.

usage: client.py KWSEARCH TREE VERSION     (of the protocol, with which the SDK begins)
"""
import asyncio
import json
import pathlib
import subprocess
import sys

import mcp.types
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import McpError

QUERIES = ["ViewAndMutationMeta", "view and mutation meta", "def:Executor", "plan*", '"class View"']


async def text_of(session, name, arguments):
    answer = await session.call_tool(name, arguments)
    assert not answer.isError, answer
    return answer.content[0].text


async def compare(session, kwsearch, tree):
    """How many results of the server were compared."""
    compared = 0
    for query in QUERIES:
        lines = subprocess.run([kwsearch, "--json", "--db", tree, query], capture_output=True, check=True).stdout.decode()
        assert await text_of(session, "search", {"query": query}) == lines, query
        for hit in map(json.loads, lines.splitlines()):
            text = await text_of(session, "read_lines", {"path": hit["path"]})
            assert text == (pathlib.Path(tree) / hit["path"]).read_text(), hit["path"]
            compared += 1
    return compared


async def ask(kwsearch, tree, version):
    mcp.types.LATEST_PROTOCOL_VERSION = version
    server = StdioServerParameters(command=kwsearch, args=["--serve-stdio", "--db", tree])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        assert hello.protocolVersion == version, hello
        tools = await session.list_tools()
        assert sorted(tool.name for tool in tools.tools) == ["outline", "read_lines", "search"], tools
        compared = await compare(session, kwsearch, tree)
        resources = (await session.list_resources()).resources
        assert resources
        for one in resources:
            read = await session.read_resource(one.uri)
            assert read.contents[0].text == (pathlib.Path(tree) / one.name).read_text(), one.uri
        try:
            await session.call_tool("search", {"query": 7})
            raise AssertionError("a query that is no text was answered")
        except McpError:
            pass
        assert (await session.call_tool("read_lines", {"path": "../x"})).isError
        await session.send_ping()
    print(f"{compared} results compared")


asyncio.run(ask(*sys.argv[1:]))
