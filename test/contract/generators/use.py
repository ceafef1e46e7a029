# Uses the Python clients that openapi-generator makes of the three kinds of document, against a running server.
import sys

import admin.api_client
import cma
import routes

url, client_id, secret = sys.argv[1:]

keys = {"clientId": client_id, "clientSecret": secret}
with cma.ApiClient(cma.Configuration(host=url, api_key=keys)) as client:
    contents = cma.AssetsApi(client)
    text = cma.TextCreate(_type="com.colophon.cms.db.Text", name="From Python")
    created = contents.create_asset(cma.AssetCreate(text)).result.actual_instance
    change = cma.AssetUpdate(cma.TextUpdate(name="Changed from Python"))
    updated = contents.update_asset(created.id, change).result.actual_instance
    found = contents.query_assets(var_from="com.colophon.cms.db.Text", where="_id = ?", values=[created.id])
    contents.delete_asset(created.id)
    print("cma", updated.name, len(found.result.items))

# The admin API has a schema `ApiClient`, which hides the generator's class of that name.
with admin.api_client.ApiClient(admin.Configuration(host=url, access_token=f"{client_id}.{secret}")) as client:
    print("admin", admin.ApiClientsApi(client).list_api_clients().items[-1].name)

with routes.ApiClient(routes.Configuration(host=url)) as client:
    print("routes", routes.DefaultApi(client).by_name(name="Hello").data.text_list.items[0].name)
