"""The keys of the pipeline's assets in Dagster: the prefix that a code location sets, then the asset's own key (`law/chunks`).

Not here: the keys themselves (`pipeline`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dagster import AssetKey, AssetsDefinition, AssetSpec

from legal_pipeline.processing.stage import AssetKey as Key


@dataclass(frozen=True)
class AssetKeys:
    """The keys of one code location."""

    prefix: tuple[str, ...] = ()

    @classmethod
    def behind(cls, prefix: Sequence[str] | str | None) -> AssetKeys:
        """Return the keys with the prefix `prefix`, a single name or several."""
        return cls((prefix,) if isinstance(prefix, str) else tuple(prefix or ()))

    def of(self, key: Key) -> AssetKey:
        return AssetKey([*self.prefix, *key])

    def own(self, asset: AssetKey) -> Key:
        """Return the key without the prefix; a key that does not begin with the prefix is unchanged."""
        path = tuple(asset.path)
        size = len(self.prefix)
        return path[size:] if path[:size] == self.prefix else path

    def spec(self, spec: AssetSpec) -> AssetSpec:
        """Return `spec` with the prefix on its key and on those of its inputs, which are all assets of the pipeline."""
        deps = [self.of(tuple(dep.asset_key.path)) for dep in spec.deps]
        return spec.replace_attributes(key=self.of(tuple(spec.key.path)), deps=deps)

    def definition(self, asset: AssetsDefinition) -> AssetsDefinition:
        """Return `asset` with the prefix on its keys and on those of its inputs, which are all assets of the pipeline."""
        keys = {*asset.keys, *asset.dependency_keys}
        return asset.with_attributes(asset_key_replacements={key: self.of(tuple(key.path)) for key in keys})


#: The keys of a code location with this pipeline only.
PLAIN = AssetKeys()
