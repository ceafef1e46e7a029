# Uses the Python clients that openapi-generator makes of the three kinds of document, against a running server.
import sys

import admin.api_client
import cma
import routes

url, token = sys.argv[1:]

with cma.ApiClient(cma.Configuration(host=url, access_token=token)) as client:
    contents = cma.AssetsApi(client)
    level = cma.LevelCreate(_type="com.example.awkward.Level", name="From Python", type=cma.Kind.Kind_default)
    created = contents.create_asset(cma.AssetCreate(level)).result.actual_instance
    change = cma.AssetUpdate(cma.LevelUpdate(type=cma.Kind.Kind_Client))
    updated = contents.update_asset(created.assetId, change).result.actual_instance
    found = contents.query_assets(
        var_from="com.example.awkward.Level", where="_id = ?", values=[created.assetId]
    )
    contents.delete_asset(created.assetId)
    print("cma", updated.name, updated.type.value, len(found.result.items))

# The admin API has a schema `ApiClient`, which hides the generator's class of that name.
with admin.api_client.ApiClient(admin.Configuration(host=url, access_token=token)) as client:
    print("admin", admin.ApiClientsApi(client).list_api_clients().items[-1].name)

with routes.ApiClient(routes.Configuration(host=url)) as client:
    level = routes.DefaultApi(client).by_name(name="Hello").data.level_list.items[0]
    print("routes", level.name, level.type)
