"""The nodes of a glTF file as a tree: rest transforms, names, and which of them are the skeleton."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.motion.gltf_document import Document, Json
from poise.rotation import Array

NODE_LIMIT = 20_000
JOINT_LIMIT = 2000
DEPTH_LIMIT = 1000


@dataclass(frozen=True)
class Nodes:
    """All nodes: names, parents (-1 for none), children, and rest translation (N, 3), rotation (N, 4) and scale (N, 3)."""

    names: list[str]
    parents: list[int]
    children: list[list[int]]
    translation: Array
    rotation: Array
    scale: Array
    bare: list[bool]  # no mesh, no camera, nothing but a place

    def lineage(self, node: int) -> list[int]:
        """From the top of the tree down to the node itself."""
        chain = [node]
        while (node := self.parents[node]) >= 0:
            chain.append(node)
        return chain[::-1]

    def below(self, node: int) -> list[int]:
        """The node and all its descendants, depth first."""
        found, waiting = [], [node]
        while waiting:
            found.append(waiting.pop())
            waiting += reversed(self.children[found[-1]])
        return found


def read_nodes(document: Document) -> Nodes:
    """The nodes of a file; every node has one parent at most, and none is its own ancestor."""
    nodes = document.all("nodes")
    if not 0 < len(nodes) <= NODE_LIMIT:
        raise document.bad(f"has {len(nodes)} nodes, expected 1 to {NODE_LIMIT}; export a character with its skeleton")
    children = [document.indices(node, "children", len(nodes)) for node in nodes]
    parents = [-1] * len(nodes)
    for parent, below in enumerate(children):
        for child in below:
            if parents[child] >= 0:
                raise document.bad(f"node {child} has two parents, {parents[child]} and {parent}; export the file again")
            parents[child] = parent
    _check_tree(document, parents, children)
    names = [document.text(node, "name", f"node_{k}") for k, node in enumerate(nodes)]
    turns, moves, scales = zip(*(_rest(document, node) for node in nodes), strict=True)
    bare = [not {"mesh", "camera", "skin"} & node.keys() for node in nodes]
    return Nodes(names, parents, children, np.array(moves), np.array(turns), np.array(scales), bare)


def skeleton_nodes(document: Document, nodes: Nodes, animated: set[int]) -> list[int]:
    """The nodes that are the skeleton, depth first; the first is the root.

    With skins: their joints, and what lies between these. Without: the animated nodes, or else all bare ones, with what
    lies between and bare nodes below. Of several unconnected bodies the one with most joints is taken.
    """
    joints = _largest_body(document, nodes)
    bare = {k for k, is_bare in enumerate(nodes.bare) if is_bare}
    seeds = joints or _largest_group(nodes, animated) or _largest_group(nodes, bare)
    if not seeds:
        raise document.bad("has no skeleton: neither skins nor animated nor bare nodes; export the character with its bones")
    lines = [nodes.lineage(k) for k in seeds]
    shared = min(len(line) for line in lines)
    root = next((d for d in range(shared) if len({line[d] for line in lines}) > 1), shared) - 1
    found = set().union(*(line[root:] for line in lines))
    everything = nodes.below(lines[0][root])
    if not joints:
        found |= bare & {*everything}
    if not 1 < len(found) <= JOINT_LIMIT:
        raise document.bad(f"has {len(found)} joints, expected 2 to {JOINT_LIMIT}; export the character with its bones")
    return _rooted(nodes, everything, found)


def tips(nodes: Nodes, joints: list[int]) -> list[tuple[int, int]]:
    """(joint, node) of bare nodes, which are no joints themselves, below joints that end a chain."""
    inside = set(joints)
    leaves = [j for j in joints if not inside & {*nodes.children[j]}]
    return [(j, child) for j in leaves for child in nodes.children[j] if nodes.bare[child]]


def _rooted(nodes: Nodes, everything: list[int], wanted: set[int]) -> list[int]:
    """The wanted nodes that are joined to the first of all by wanted ones."""
    kept = {nodes.parents[everything[0]]}
    for k in everything:
        if k in wanted and nodes.parents[k] in kept:
            kept.add(k)
    return [k for k in everything if k in kept]


def _largest_body(document: Document, nodes: Nodes) -> set[int]:
    """The joints of all skins that hang together with the largest: skins that have a topmost joint in common."""
    skins = [{*document.indices(skin, "joints", len(nodes.names))} for skin in document.all("skins")]
    joints = set().union(*skins)
    if len(joints) > JOINT_LIMIT:
        raise document.bad(f"has skins of {len(joints)} joints, the limit is {JOINT_LIMIT}; export one character")
    top = {j: next(k for k in nodes.lineage(j) if k in joints) for j in joints}
    bodies: list[set[int]] = []  # topmost joints that belong together
    for skin in skins:
        body = {top[j] for j in skin}
        apart = [other for other in bodies if not other & body]
        bodies = [*apart, body.union(*(other for other in bodies if other & body))]
    members = [_largest_group(nodes, {j for j in joints if top[j] in body}) for body in bodies]
    return max(members, key=len, default=set())


def _largest_group(nodes: Nodes, seeds: set[int]) -> set[int]:
    """Those of the seeds that lie in one tree of nodes, the tree that holds most of them."""
    trees: dict[int, set[int]] = {}
    for k in sorted(seeds):
        trees.setdefault(nodes.lineage(k)[0], set()).add(k)
    return max(trees.values(), key=len, default=set())


def _check_tree(document: Document, parents: list[int], children: list[list[int]]) -> None:
    """Every node is reached from a top, within DEPTH_LIMIT steps."""
    level = [k for k, parent in enumerate(parents) if parent < 0]
    reached, depth = len(level), 1
    while level := [child for k in level for child in children[k]]:
        reached, depth = reached + len(level), depth + 1
        if depth > DEPTH_LIMIT:
            raise document.bad(f"has nodes nested deeper than {DEPTH_LIMIT}; export the character alone")
    if reached < len(parents):
        raise document.bad(f"{len(parents) - reached} of its nodes are their own ancestors; export the file again")


def _rest(document: Document, node: Json) -> tuple[Array, Array, Array]:
    """A node's rotation, translation and scale; a matrix is taken apart (without shear)."""
    if "matrix" not in node:
        turn = rotation.normalize(document.numbers(node, "rotation", [0.0, 0.0, 0.0, 1.0])[[3, 0, 1, 2]])
        return turn, document.numbers(node, "translation", [0.0] * 3), document.numbers(node, "scale", [1.0] * 3)
    matrix = document.numbers(node, "matrix", np.eye(4).ravel().tolist()).reshape(4, 4).T
    axes = matrix[:3, :3]
    scale = np.linalg.norm(axes, axis=0) * (-1.0 if np.linalg.det(axes) < 0.0 else 1.0)
    turn = rotation.from_matrix(axes / scale) if np.abs(scale).min() > 0.0 else rotation.IDENTITY
    return turn, matrix[:3, 3], scale
