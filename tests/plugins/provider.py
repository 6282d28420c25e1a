"""A provider plugin that knows nothing but its schema, which is the file that SCHEMA names.

With a parameter it is the package whose schema the parameter is.
"""

import os
import sys

from pulumi.provider.experimental import provider
from pulumi.provider.experimental.server import main


class Provider(provider.Provider):
    def __init__(self):
        with open(os.environ["SCHEMA"], encoding="utf-8") as file:
            self.schemas = {None: file.read()}

    async def parameterize(self, request):
        value = request.parameters
        self.schemas[value.name] = value.value.decode()
        return provider.ParameterizeResponse(value.name, value.version)

    async def get_schema(self, request):
        return provider.GetSchemaResponse(self.schemas[request.subpackage_name])


main(sys.argv[1:], os.environ["VERSION"], Provider())
