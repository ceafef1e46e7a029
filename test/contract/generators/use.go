// Uses the Go clients that openapi-generator makes of the three kinds of document, against a running server.
package main

import (
	"context"
	"fmt"
	"os"

	admin "example.com/colophon/admin"
	cma "example.com/colophon/cma"
	routes "example.com/colophon/routes"
)

func main() {
	url, id, secret := os.Args[1], os.Args[2], os.Args[3]
	useContents(url, id, secret)
	useAdmin(url, id+"."+secret)
	useRoutes(url)
}

func useContents(url, id, secret string) {
	configuration := cma.NewConfiguration()
	configuration.Servers = cma.ServerConfigurations{{URL: url}}
	contents := cma.NewAPIClient(configuration).AssetsAPI
	ctx := context.WithValue(context.Background(), cma.ContextAPIKeys, map[string]cma.APIKey{
		"clientId": {Key: id}, "clientSecret": {Key: secret},
	})

	text := cma.NewTextCreate("com.colophon.cms.db.Text", "From Go")
	created, _, err := contents.CreateAsset(ctx).AssetCreate(cma.TextCreateAsAssetCreate(text)).Execute()
	check(err)
	_id := created.Result.Text.Id
	change := cma.NewTextUpdate()
	change.SetName("Changed from Go")
	updated, _, err := contents.UpdateAsset(ctx, _id).AssetUpdate(cma.AssetUpdate{TextUpdate: change}).Execute()
	check(err)
	found, _, err := contents.QueryAssets(ctx).From("com.colophon.cms.db.Text").Where("_id = ?").Values([]string{_id}).Execute()
	check(err)
	_, _, err = contents.DeleteAsset(ctx, _id).Execute()
	check(err)
	fmt.Println("cma", updated.Result.Text.Name, len(found.Result.Items))
}

func useAdmin(url, token string) {
	configuration := admin.NewConfiguration()
	configuration.Servers = admin.ServerConfigurations{{URL: url}}
	ctx := context.WithValue(context.Background(), admin.ContextAccessToken, token)
	clients, _, err := admin.NewAPIClient(configuration).ApiClientsAPI.ListApiClients(ctx).Execute()
	check(err)
	fmt.Println("admin", clients.Items[len(clients.Items)-1].Name)
}

func useRoutes(url string) {
	configuration := routes.NewConfiguration()
	configuration.Servers = routes.ServerConfigurations{{URL: url}}
	named, _, err := routes.NewAPIClient(configuration).DefaultAPI.ByName(context.Background()).Name("Hello").Execute()
	check(err)
	fmt.Println("routes", named.Data.TextList.Items[0].Name)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
