"""Several changes at once."""

from kinds import KINDS

# What has something to replace or to update, with others that need it.
FIRST = [
    "replaced-with-dependents",
    "deleted-first-with-dependents",
    "replaced-with-replacing-dependents",
    "deleted-first-with-replacing-dependents",
    "replaced-parent",
    "provider-updated",
    "provider-replaced",
    "range-shrunk",
    "range-of-map",
    "alias-of-parent",
]
# These change anything that there is.
NEXT = [
    "add",
    "add-needed",
    "change-label",
    "change-many",
    "change-needed",
    "change-password",
    "change-vault-site",
    "change-zone",
    "component-input",
    "order",
    "read-added",
    "remove",
    "remove-needed",
    "remove-with-dependents",
    "rename-component",
]


def several(first):
    def change(pair, random):
        if KINDS[first](pair, random) is False:
            return False
        for name in random.sample(NEXT, 3):
            KINDS[name](pair, random)

    return change


for first in FIRST:
    KINDS[f"several-and-{first}"] = several(first)
